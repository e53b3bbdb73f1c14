/** A purchased text; `html` is sanitized. */
export function TextPage({ name, html, back }: { name: string; html: string; back: string | null }) {
  return (
    <main className="page narrow">
      <header className="said">
        <h1>{name}</h1>
      </header>
      <div className="card zone" dangerouslySetInnerHTML={{ __html: html }} />
      {back && (
        <a className="btn wide" href={back}>
          Voltar para a minha compra
        </a>
      )}
    </main>
  );
}
