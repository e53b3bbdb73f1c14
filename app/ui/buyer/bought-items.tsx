import { ExternalLink, FileDown, NotebookText } from "lucide-react";
import type { PurchaseItem } from "#app/domain/access/find-purchase-lines.server.ts";
import { formatBytes } from "#app/kit/files/bytes.ts";

/** A purchased product and its content items; `size` in bytes. */
export type BoughtContent = {
  name: string;
  items: (Omit<PurchaseItem, "downloadsLeft"> & { downloadsLeft?: number | null; href: string })[];
};

/** The number of downloads left is shown from here on. */
const LOW_LEFT_THRESHOLD = 3;

function formatDownloadsLeft(left: number): string {
  if (left === 0) return "limite de downloads atingido";
  return left === 1 ? "resta 1 download" : `restam ${left} downloads`;
}

const ICONS = { file: FileDown, link: ExternalLink, text: NotebookText };
const DOES = { file: "Baixar", link: "Abrir", text: "Ler" };

/** Files to download, links to open and texts to read, by purchased product; one without any says so. */
export function BoughtItems({ contents }: { contents: BoughtContent[] }) {
  return contents.map(({ name, items }, at) => (
    <section className="stack" aria-labelledby={`conteudo-${at}`} key={name + String(at)}>
      <h2 id={`conteudo-${at}`} className="bought-of">
        {contents.length > 1 || items.length === 0 ? name : "O que você comprou"}
      </h2>
      {items.length > 0 ? <ItemList items={items} /> : <p className="small">{NOTHING_TO_OPEN}</p>}
    </section>
  ));
}

/** Of what was bought without a link or content: its seller may deliver it another way. */
export const NOTHING_TO_OPEN =
  "Não há arquivo nem link para abrir aqui. Se não souber como vai receber, fale com quem vendeu.";

/** Each item is a whole row to tap. */
export function ItemList({ items }: Pick<BoughtContent, "items">) {
  return (
    <ul className="bought-items">
      {items.map(({ id, kind, name, size, downloadsLeft, href }) => {
        const Icon = ICONS[kind];
        return (
          <li key={id}>
            <a href={href} rel="nofollow noopener" target={kind === "link" ? "_blank" : undefined}>
              <Icon aria-hidden size={22} strokeWidth={1.75} />
              <span className="bought-name">
                {name}
                {size !== null && (
                  <span className="muted small">
                    {formatBytes(size)}
                    {typeof downloadsLeft === "number" &&
                      downloadsLeft <= LOW_LEFT_THRESHOLD &&
                      ` · ${formatDownloadsLeft(downloadsLeft)}`}
                  </span>
                )}
              </span>
              <span className="bought-does">{DOES[kind]}</span>
            </a>
          </li>
        );
      })}
    </ul>
  );
}
