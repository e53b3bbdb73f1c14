import { paths } from "#app/kit/paths.ts";

/** Labels a preview, and links to the product and, while it is for sale, to its checkout. */
export function PreviewBar(props: {
  id: number;
  active: boolean;
  purchase: { to: string; isDemo: boolean } | null;
}) {
  const { id, active, purchase } = props;
  return (
    <aside className="preview-bar" aria-label="Prévia">
      <p>
        <b>{active ? "Prévia" : "Prévia · produto inativo"}</b>{" "}
        {active
          ? "É assim que quem compra vê. Aqui nada é vendido."
          : "Só você vê esta página. Quem abre o link do checkout lê que o produto não está disponível."}
      </p>
      <nav aria-label="Da prévia">
        <a href={paths.product(id)}>Editar produto</a>
        {purchase && (
          <a className="is-main" href={purchase.to}>
            {purchase.isDemo ? "Fazer uma compra de teste" : "Abrir o checkout"}
          </a>
        )}
      </nav>
    </aside>
  );
}

/** The dashboard's own colours, independent of the seller's design of the page below. */
export const PREVIEW_CSS = `
.preview-bar{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.5rem 1.5rem;padding:.625rem 1rem;border-bottom:2px solid #f2c14e;background:#1d2433;color:#e8ebf2;font-size:.875rem;line-height:1.4}
.preview-bar p{flex:1 1 18rem;margin:0;color:inherit}
.preview-bar b{margin-right:.375rem;padding:.125rem .5rem;border-radius:1rem;background:#f2c14e;color:#2b2107;font-weight:600;white-space:nowrap}
.preview-bar nav{display:flex;flex-wrap:wrap;gap:.5rem}
.preview-bar a{display:inline-flex;align-items:center;min-height:2.75rem;padding:0 .875rem;border:1px solid #5a6478;border-radius:.5rem;color:#fff;font-weight:550;text-decoration:none}
.preview-bar a:hover{border-color:#fff}
.preview-bar a.is-main{border-color:#fff;background:#fff;color:#1d2433}
.preview-bar a:focus-visible{outline:2px solid #fff;outline-offset:2px}
@media (min-width:48rem){.preview-bar{position:sticky;top:0;z-index:20;padding-inline:1.5rem}}
`;
