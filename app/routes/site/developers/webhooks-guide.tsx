import { RECEIVER_SAMPLE } from "#app/domain/delivery/webhook/receiver-sample.ts";
import { paths } from "#app/kit/paths.ts";
import { Code } from "#app/routes/site/developers/endpoint-guide.tsx";

export type WebhooksView = { events: { id: string; label: string; text: string }[]; example: string };

/** The webhooks we send to sellers: events, signature, retries, and a receiver. */
export function WebhooksGuide({ events, example }: WebhooksView) {
  return (
    <section id="avisos" className="scroll-mt-20">
      <h2 className="mt-14 border-base-300 border-b pb-2 font-semibold text-2xl tracking-tight">Webhooks</h2>
      <div className="mt-4 flex max-w-2xl flex-col gap-3 text-base-content/85">
        <p>
          Cadastre um endereço em{" "}
          <a href={paths.destinations("webhook")} className="link link-primary">
            Integrações › Webhooks
          </a>{" "}
          e cada evento escolhido chega lá por POST, em JSON, assinado como manda o Standard Webhooks 1.0. Na
          descrição OpenAPI estão em <code>webhooks</code>, campo a campo.
        </p>
        <ul className="list-disc pl-5">
          <li>
            Responda 2xx em até 15 segundos. Outra resposta e tentamos de novo, dez vezes em cerca de três
            dias; 410 encerra. Redirecionamentos não são seguidos.
          </li>
          <li>
            O mesmo aviso pode chegar mais de uma vez, com o mesmo <code>webhook-id</code>: guarde os que já
            tratou.
          </li>
          <li>Os avisos de uma venda chegam na ordem em que aconteceram.</li>
          <li>
            Durante a troca do segredo <code>webhook-signature</code> traz duas assinaturas por 24 horas.
          </li>
        </ul>
      </div>
      <h3 className="mt-8 font-semibold">Eventos</h3>
      <dl className="mt-2 max-w-2xl text-sm">
        {events.map(({ id, label, text }) => (
          <div key={id} className="py-1.5">
            <dt>
              <code className="font-semibold">{id}</code> {label}
            </dt>
            <dd className="text-base-content/75">{text}</dd>
          </div>
        ))}
      </dl>
      <h3 className="mt-8 font-semibold">Um aviso</h3>
      <Code text={example} label="Exemplo de aviso" />
      <h3 className="mt-8 font-semibold">Um receptor em Node</h3>
      <Code text={RECEIVER_SAMPLE} label="Exemplo de receptor" />
    </section>
  );
}
