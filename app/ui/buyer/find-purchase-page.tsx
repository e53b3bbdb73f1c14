import { MailCheck } from "lucide-react";
import { ErrorSummary, Field } from "#app/ui/buyer/field.tsx";

/** 'Já comprei': asks for the address that bought. The answer is the same for every address. */
export function FindPurchasePage({
  email,
  error,
  sent,
}: {
  email: string;
  error: string | null;
  sent: boolean;
}) {
  if (sent) {
    return (
      <main className="page narrow alone">
        <div className="card centered said" role="status">
          <MailCheck aria-hidden size={40} strokeWidth={1.5} className="done" />
          <h1>Confira o seu e-mail</h1>
          <p className="muted">
            Se houver compras aprovadas com <b>{email}</b>, o link de acesso chega em instantes. Olhe também a
            caixa de spam.
          </p>
        </div>
      </main>
    );
  }
  return (
    <main className="page narrow alone">
      <ErrorSummary errors={error ? { email: error } : {}} alert={null} />
      <form method="post" className="card stack">
        <h1 className="title">Já comprei</h1>
        <p className="muted">Enviamos o link de acesso para o e-mail usado na compra.</p>
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
          <span>Receber o link de acesso</span>
        </button>
      </form>
    </main>
  );
}
