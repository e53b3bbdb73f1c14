import { CircleAlert, MailCheck } from "lucide-react";
import { isMailFailure, type MailState } from "#app/domain/access/mail-state.ts";
import { paths } from "#app/kit/paths.ts";
import { MailAddress } from "#app/ui/buyer/purchases/mail-address.tsx";

/**
 * The mail with the access: its address, possibly masked, and its state; null if none is known. `isOnlyWay`: what was
 * bought is opened from the mail, and not on this page.
 */
export type AccessMail = { to: string; state: MailState | null; isOnlyWay: boolean };

const FAILURE_TEXTS: Record<"returned" | "unsent", string> = {
  returned:
    "O e-mail com o acesso voltou: o endereço pode estar errado, ou a caixa cheia. Confira o endereço e, se estiver certo, guarde esta página ou peça o acesso de novo em Minhas compras.",
  unsent:
    "O e-mail com o acesso não pôde ser enviado. Guarde esta página: o que você comprou está aqui. Confira também o endereço.",
};

/** What is said before and after the address. */
const TEXTS: Record<"only-way" | "also" | "sent" | "delivered", [string, string]> = {
  "only-way": ["O link de acesso chega por e-mail, em", "."],
  also: ["O link de acesso também chega por e-mail, em", "."],
  sent: ["Enviamos o link de acesso para", ". Não chegou? Olhe a caixa de spam."],
  delivered: ["O e-mail com o link de acesso foi entregue em", "."],
};

/** Shows the state of the mail with the access, and what to do if it bounced. */
export function AccessMailCard({ to, state, isOnlyWay, correct }: AccessMail & { correct: string }) {
  if (isMailFailure(state))
    return (
      <section className="alert is-error" aria-label="E-mail com o acesso">
        <CircleAlert aria-hidden size={22} />
        <div className="mail-card">
          <p>
            <b>
              <MailAddress of={to} />
            </b>
          </p>
          <p className="small">{FAILURE_TEXTS[state]}</p>
          <a className="btn" href={correct}>
            Corrigir e-mail
          </a>
          <a href={paths.purchases()}>Minhas compras</a>
        </div>
      </section>
    );
  const isWaiting = state === null || state === "waiting";
  const [before, after] = TEXTS[isWaiting ? (isOnlyWay ? "only-way" : "also") : state];
  return (
    <section className="card row" aria-label="E-mail com o acesso">
      <MailCheck aria-hidden size={22} className="muted" />
      <div className="mail-card">
        {isOnlyWay && <p>Abra o que você comprou pelo link do e-mail.</p>}
        <p className="small">
          {before}{" "}
          <b>
            <MailAddress of={to} />
          </b>
          {after}
        </p>
        {isOnlyWay && (
          <a className="small" href={paths.purchases()}>
            Não achou, ou o link trouxe você para cá? Receba outro em Minhas compras
          </a>
        )}
        <a className="small" href={correct}>
          E-mail errado? Corrigir
        </a>
      </div>
    </section>
  );
}
