import { ChevronDown } from "lucide-react";
import { Scripted } from "#app/ui/seller/scripted.tsx";

/**
 * Placeholders for the body. A click inserts one at the cursor of the visible textarea; without JavaScript they are only
 * listed.
 */
export function PlaceholderList({ names, textareas }: { names: string[]; textareas: string[] }) {
  return (
    <details className="group rounded-box border border-base-300">
      <summary className="flex min-h-11 cursor-pointer list-none items-center justify-between gap-2 px-4 font-medium text-sm [&::-webkit-details-marker]:hidden">
        Variáveis disponíveis
        <ChevronDown className="size-4 transition-transform group-open:rotate-180" aria-hidden="true" />
      </summary>
      <div className="flex flex-col gap-3 border-base-300 border-t p-4">
        <ul className="flex flex-wrap gap-2">
          {names.map((name) => (
            <li key={name}>
              <Scripted
                plain={
                  <code className="inline-flex min-h-11 items-center rounded-field bg-base-200 px-3 text-xs">{`{${name}}`}</code>
                }
              >
                <button
                  type="button"
                  className="btn btn-sm min-h-11 font-mono font-normal text-xs"
                  title={`Inserir {${name}} no conteúdo`}
                  onClick={() => insert(textareas, `{${name}}`)}
                >
                  {`{${name}}`}
                </button>
              </Scripted>
            </li>
          ))}
        </ul>
        <p className="text-base-content/70 text-xs">
          <code>{"{product_file_url}"}</code> é a página da compra, onde estão os arquivos: o endereço do
          arquivo não vai no e-mail. No HTML, o comentário <code>{"<!-- itens -->"}</code> vira a tabela do
          que foi comprado, com ofertas adicionais e total. Os dados do comprador entram no texto e em links,
          e não no endereço de uma imagem nem em estilos; num link, a página da compra só vale no começo do
          endereço.
        </p>
      </div>
    </details>
  );
}

function insert(ids: string[], text: string) {
  const areas = ids.map((id) => document.getElementById(id) as HTMLTextAreaElement | null);
  const area = areas.find((one) => one?.checkVisibility());
  if (!area) return;
  area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
  area.dispatchEvent(new Event("input", { bubbles: true }));
  area.focus();
}
