import type { GuideEntry, GuideField } from "#app/server/openapi/build-guide.server.ts";
import { Badge } from "#app/ui/seller/badge.tsx";

/** One method of the API: description, parameters, responses, and a working request. */
export function EndpointGuide({ entry }: { entry: GuideEntry }) {
  const { method, address, summary, details, needs } = entry;
  return (
    <section id={entry.id} aria-labelledby={`${entry.id}-title`} className="scroll-mt-20 pt-8">
      <h3 id={`${entry.id}-title`} className="font-semibold">
        <code className="break-words">
          {method} {readableAddress(address)}
        </code>
      </h3>
      <p className="mt-1 text-base-content/85">{summary}.</p>
      {details && <p className="mt-1 text-base-content/75 text-sm">{details}</p>}
      <p className="mt-2">
        <Badge tone={needs === "session" ? "warning" : "neutral"}>{needText(needs)}</Badge>
      </p>
      {entry.example && (
        <Code text={entry.example} label={`Exemplo de ${method} ${readableAddress(address)}`} />
      )}
      <Fields title="No endereço" fields={entry.query} isSent />
      <Fields title="No corpo" fields={entry.body} isSent />
      <Fields
        title={`Resposta ${entry.status}${entry.isList ? ": uma lista, e em cada item" : ""}`}
        fields={entry.answer}
      />
    </section>
  );
}

/** Source code; lines that are too wide scroll, also by keyboard. */
export function Code({ text, label = "Exemplo" }: { text: string; label?: string }) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
      tabIndex={0}
      className="mt-3 overflow-x-auto rounded-box border border-base-300 bg-base-200 p-4 text-sm"
    >
      <pre>
        <code>{text}</code>
      </pre>
    </section>
  );
}

function Fields({
  title,
  fields,
  isSent = false,
}: {
  title: string;
  fields: GuideField[];
  isSent?: boolean;
}) {
  if (fields.length === 0) return null;
  return (
    <details className="mt-2">
      <summary className="cursor-pointer py-3 font-medium text-sm">
        {title} ({fields.length})
      </summary>
      <dl className="mb-3 border-base-300 border-l-2 pl-4 text-sm">
        {fields.map(({ name, type, required, text }) => (
          <div key={name} className="py-1.5">
            <dt>
              <code className="break-words font-semibold">{name}</code>{" "}
              <span className="text-base-content/75">
                {type}
                {required && isSent ? ", obrigatório" : ""}
              </span>
            </dt>
            {text && <dd className="text-base-content/75">{text}</dd>}
          </div>
        ))}
      </dl>
    </details>
  );
}

/** `/api/products/:productId` as `/api/products/{productId}`. */
function readableAddress(address: string): string {
  return address
    .split("/")
    .map((part) => (part.startsWith(":") ? `{${part.slice(1)}}` : part))
    .join("/");
}

function needText(needs: GuideEntry["needs"]): string {
  if (needs === null) return "Sem chave";
  return needs === "session" ? "Só numa sessão recente, nenhuma chave" : `Chave com a permissão ${needs}`;
}
