import { ErrorSummary, Field } from "#app/ui/buyer/field.tsx";

/** A form for a purchase's correct e-mail. `current` is shown in full only in the browser that ordered. */
export type CorrectEmailView = {
  back: string;
  productName: string;
  isPaid: boolean;
  hasAccess: boolean;
  isOrderingBrowser: boolean;
  current: string | null;
  email: string;
  error: string | null;
  alert: string | null;
};

export function CorrectEmailPage(view: CorrectEmailView) {
  const { productName, email, error, alert } = view;
  const isAdding = view.isOrderingBrowser && view.current === null;
  return (
    <main className="page narrow alone">
      <ErrorSummary errors={error ? { email: error } : {}} alert={alert} />
      <form method="post" noValidate className="card stack">
        <h1 className="title">{isAdding ? "Adicionar um e-mail" : "Corrigir o e-mail"}</h1>
        <p className="muted">{leadOf(view)}</p>
        <Field
          name="email"
          label={isAdding ? "Seu e-mail" : "E-mail correto"}
          type="email"
          autoComplete="email"
          inputMode="email"
          maxLength={254}
          defaultValue={email}
          error={error ?? undefined}
        />
        <button type="submit" className="btn btn-main wide" data-busy="Salvando...">
          <span>
            {view.isOrderingBrowser ? (isAdding ? "Salvar e-mail" : "Corrigir e-mail") : "Pedir a troca"}
          </span>
        </button>
        <p className="small">
          <a href={view.back}>Voltar à compra de {productName}</a>
        </p>
      </form>
    </main>
  );
}

function leadOf(view: CorrectEmailView): React.ReactNode {
  const { productName, isPaid, isOrderingBrowser, current } = view;
  if (!isOrderingBrowser)
    return (
      <>
        A compra de {productName} foi feita em outro navegador. Por segurança, vamos mandar um e-mail para o
        endereço de agora{current && `, ${current}`}, e a troca vale depois que ele for confirmado por lá. Não
        abre mais aquela caixa? Use o navegador da compra, ou fale com quem vendeu.
      </>
    );
  return (
    <>
      {current ? (
        <>
          O acesso de {productName} {isPaid ? "foi" : "vai"} para <b>{current}</b>.
        </>
      ) : (
        `A compra de ${productName} está sem e-mail.`
      )}{" "}
      {requestOf(view)}
    </>
  );
}

function requestOf({ isPaid, hasAccess }: CorrectEmailView): string {
  if (hasAccess)
    return "Digite o endereço certo: enviamos o acesso para lá, e os links de antes deixam de valer.";
  if (isPaid)
    return "Digite o endereço certo: os e-mails desta compra passam a ir para lá, e os links de antes deixam de valer.";
  return "Digite o endereço certo: é para lá que o acesso vai assim que o pagamento for confirmado.";
}
