import { type BoughtContent, BoughtItems } from "#app/ui/buyer/bought-items.tsx";

/** A content as its buyers will see it; each text's `html` is sanitized. */
export function ContentPreview(props: {
  name: string;
  items: Omit<BoughtContent["items"][number], "href">[];
  texts: { name: string; html: string }[];
}) {
  return (
    <main className="page narrow">
      <p className="alert is-wait" role="status">
        Prévia: é isto que o comprador de {props.name} vê depois de pagar. Aqui os arquivos não abrem.
      </p>
      <BoughtItems
        contents={[{ name: props.name, items: props.items.map((item) => ({ ...item, href: "#previa" })) }]}
      />
      {props.texts.map(({ name, html }) => (
        <section className="card" key={name}>
          <h2>{name}</h2>
          <div className="zone" dangerouslySetInnerHTML={{ __html: html }} />
        </section>
      ))}
    </main>
  );
}
