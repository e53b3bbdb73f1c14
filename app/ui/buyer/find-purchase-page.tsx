import { MailCheck } from "lucide-react";
import { ErrorSummary, Field } from "#app/ui/buyer/field.tsx";
import { MailAddress } from "#app/ui/buyer/purchases/mail-address.tsx";

/** Texts of a page with a form for an e-mail address: its title, what is sent there, and its button. */
export type LinkRequestTexts = { title: string; lead: string; sent: string; button: string };

/** A form for the address that bought. The response is the same for every address. */
export function FindPurchasePage({
  texts,
  email,
  error,
  sent,
}: {
  texts: LinkRequestTexts;
  email: string;
  error: string | null;
  sent: boolean;
}) {
  if (sent)
    return (
      <main className="page narrow alone">
        <div className="card centered said" role="status">
          <MailCheck aria-hidden size={40} strokeWidth={1.5} className="done" />
          <h1>Confira o seu e-mail</h1>
          <p className="muted">
            Se houver compras aprovadas com{" "}
            <b>
              <MailAddress of={email} />
            </b>
            , {texts.sent} Olhe também a caixa de spam.
          </p>
        </div>
      </main>
    );
  return (
    <main className="page narrow alone">
      <ErrorSummary errors={error ? { email: error } : {}} alert={null} />
      <form method="post" noValidate className="card stack">
        <h1 className="title">{texts.title}</h1>
        <p className="muted">{texts.lead}</p>
        <Field
          name="email"
          label="E-mail da compra"
          type="email"
          autoComplete="email"
          inputMode="email"
          maxLength={254}
          defaultValue={email}
          error={error ?? undefined}
        />
        <button type="submit" className="btn btn-main wide" data-busy="Enviando...">
          <span>{texts.button}</span>
        </button>
      </form>
    </main>
  );
}
