import { type RefObject, useEffect, useRef, useState } from "react";
import type { TemplatePreview } from "#app/domain/mail/template/preview-template.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { paths } from "#app/kit/paths.ts";
import { Alert } from "#app/ui/seller/alert.tsx";
import { Card } from "#app/ui/seller/card.tsx";

const PAUSE = 0.4 * SECOND;

/**
 * The mail as a buyer sees it, rendered by the server shortly after each keystroke; the frame is sandboxed, so that nothing
 * in a template runs. `first` is the page's initial preview, `simpleHtml` the saved HTML if the simple editor wrote it.
 */
export function PreviewFrame({
  first,
  form,
  simpleHtml,
}: {
  first: TemplatePreview;
  form: RefObject<HTMLFormElement | null>;
  simpleHtml: string | null;
}) {
  const [displayed, setDisplayed] = useState({ first, preview: first, problem: "" });
  // A newly loaded page (saved, or 'Visualizar') starts from its own preview.
  if (displayed.first !== first) setDisplayed({ first, preview: first, problem: "" });
  const written = useRef(simpleHtml);
  useEffect(() => {
    const element = form.current;
    if (!element) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let calls = 0;
    const refresh = async () => {
      const call = ++calls;
      const answer = await fetch(paths.emailPreview(), { method: "POST", body: new FormData(element) }).catch(
        () => null,
      );
      const body = await answer?.json().catch(() => null);
      if (call !== calls || !body) return;
      if (answer!.ok) written.current = writeHtml(element, body.template, written.current);
      setDisplayed((now) =>
        answer!.ok ? { ...now, preview: body, problem: "" } : { ...now, problem: body.error },
      );
    };
    const later = () => {
      clearTimeout(timer);
      timer = setTimeout(refresh, PAUSE);
    };
    element.addEventListener("input", later);
    return () => {
      calls++;
      clearTimeout(timer);
      element.removeEventListener("input", later);
    };
  }, [form]);
  const { preview, problem } = displayed;
  return (
    <Card title="Prévia" text="Com dados de exemplo." flush className="overflow-hidden">
      <div className="flex flex-col gap-3 px-5 pb-4">
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-sm">
          <dt className="text-base-content/70">De</dt>
          <dd className="truncate font-medium">{preview.senderName}</dd>
          <dt className="text-base-content/70">Assunto</dt>
          <dd className="break-words font-medium">{preview.subject}</dd>
        </dl>
        <div aria-live="polite" className="flex flex-col gap-3 empty:hidden">
          {problem && <Alert tone="error" live={false} text={problem} />}
          {preview.isDefault && (
            <Alert
              tone="error"
              live={false}
              text="Com os dados de uma venda o seu modelo fica grande demais, ou o link da compra se perde em uma tag sem fim: o comprador receberia o nosso, que aparece abaixo."
            />
          )}
          {!preview.isDefault && !preview.hasAccessLink && (
            <Alert
              tone="warning"
              live={false}
              text="O modelo não tem o link da compra: o botão de acesso no fim da prévia é acrescentado por nós."
            />
          )}
          {preview.hidden.length > 0 && (
            <Alert tone="warning" live={false}>
              Estas variáveis não são preenchidas em algum lugar e lá ficam como estão escritas:{" "}
              <code>{preview.hidden.join(", ")}</code>. Os dados do comprador entram no texto e em links (num
              link, a página da compra só no começo do endereço), e nada entra depois de uma tag sem fim.
            </Alert>
          )}
          {preview.unknown.length > 0 && (
            <Alert tone="warning" live={false}>
              Variável desconhecida, o comprador veria o texto assim:{" "}
              <code>{preview.unknown.join(", ")}</code>
            </Alert>
          )}
        </div>
      </div>
      <iframe
        title="Prévia do e-mail"
        sandbox=""
        srcDoc={preview.html}
        className="block h-[36rem] w-full border-base-300 border-t bg-white"
      />
    </Card>
  );
}

/**
 * Writes the simple editor's content as HTML into the hidden editor, unless that has HTML of the seller's own: who only
 * looks at the simple editor finds it again. @returns what the simple editor wrote last
 */
function writeHtml(form: HTMLFormElement, template: string, written: string | null): string | null {
  if (new FormData(form).get("editor") !== "simple") return written;
  const html = form.elements.namedItem("html_content");
  if (!(html instanceof HTMLTextAreaElement)) return written;
  // A field's value ends its lines with LF.
  const isWritten = written !== null && html.value === written.replace(/\r\n?/g, "\n");
  if (html.value.trim() !== "" && !isWritten) return written;
  html.value = template;
  return template;
}
