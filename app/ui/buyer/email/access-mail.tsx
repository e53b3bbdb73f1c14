import { CircleAlert, MailCheck } from "lucide-react";
import type { MailState } from "#app/domain/access/mail-state.ts";
import { paths } from "#app/kit/paths.ts";

/** The mail with the access: its address, possibly masked, and its state; null if none is known. */
export type AccessMail = { to: string; state: MailState | null };

const FAILURE_TEXTS: Partial<Record<MailState, string>> = {
  returned:
    "O e-mail com o acesso voltou: o endereço pode estar errado, ou a caixa cheia. Confira o endereço e, se estiver certo, guarde esta página ou peça o acesso de novo em Minhas compras.",
  unsent:
    "O e-mail com o acesso não pôde ser enviado. Guarde esta página: o que você comprou está aqui. Confira também o endereço.",
};

/** Shows the state of the mail with the access, and what to do if it bounced. */
export function AccessMailCard({ saleId, to, state }: AccessMail & { saleId: string }) {
  const failureText = state && FAILURE_TEXTS[state];
  const correct = paths.correctEmail(saleId);
  if (failureText)
    return (
      <section className="alert is-error" aria-label="E-mail com o acesso">
        <CircleAlert aria-hidden size={22} />
        <div className="mail-card">
          <p>
            <b>{to}</b>
          </p>
          <p className="small">{failureText}</p>
          <a className="btn" href={correct}>
            Corrigir e-mail
          </a>
          <a href={paths.purchases()}>Minhas compras</a>
        </div>
      </section>
    );
  return (
    <section className="card row" aria-label="E-mail com o acesso">
      <MailCheck aria-hidden size={22} className="muted" />
      <div className="mail-card">
        <p className="small">{STATE_TEXTS[(state ?? "waiting") as keyof typeof STATE_TEXTS](to)}</p>
        <a className="small" href={correct}>
          E-mail errado? Corrigir
        </a>
      </div>
    </section>
  );
}

const STATE_TEXTS: Record<Exclude<MailState, "returned" | "unsent">, (to: string) => React.ReactNode> = {
  waiting: (to) => (
    <>
      O link de acesso também chega por e-mail, em <b>{to}</b>.
    </>
  ),
  sent: (to) => (
    <>
      Enviamos o link de acesso para <b>{to}</b>. Não chegou? Olhe a caixa de spam.
    </>
  ),
  delivered: (to) => (
    <>
      O e-mail com o link de acesso foi entregue em <b>{to}</b>.
    </>
  ),
};
