import { type FormEvent, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { paths } from "#app/kit/paths.ts";
import { Alert } from "#app/ui/seller/alert.tsx";
import { PasswordField } from "#app/ui/seller/form/password-field.tsx";
import {
  currentWaiting,
  NOT_WAITING,
  type Waiting,
  watchWaiting,
} from "#app/ui/seller/frame/watched-fetch.ts";

type Props = { email: string; provider: string | null };

/** Signs in over the page whose session ended. What was typed stays on it, and is submitted with a button afterwards. */
export function SignInDialog(props: Props) {
  const { signIn } = useSyncExternalStore(watchWaiting, currentWaiting, () => NOT_WAITING);
  return signIn ? <SignInForm {...props} {...signIn} /> : null;
}

const CHECK_INTERVAL_MS = 2000;

function SignInForm({ email, provider, done, isOther }: Props & NonNullable<Waiting["signIn"]>) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const [signedIn, setSignedIn] = useState(false);
  const [inPopup, setInPopup] = useState(false);
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    if (!inPopup || signedIn) return;
    const checkSession = async () => {
      const answer = await fetch("/api/users/me").catch(() => null);
      if (!answer?.ok) return;
      const me = (await answer.json()) as { email: string };
      if (me.email === email) setSignedIn(true);
      else setProblem(`Você entrou como ${me.email}. Esta página é de ${email}: entre com ela.`);
    };
    const timer = setInterval(checkSession, CHECK_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [inPopup, signedIn, email]);

  async function enter(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const password = String(new FormData(event.currentTarget).get("password"));
    if (password === "") return setProblem("Digite a sua senha.");
    setBusy(true);
    setProblem("");
    try {
      const answer = await fetch("/api/sessions", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ email, password }),
      });
      if (answer.ok) setSignedIn(true);
      else setProblem(((await answer.json()) as { error: string }).error);
    } catch {
      setProblem("Sem conexão. Confira a internet e tente de novo.");
    }
    setBusy(false);
  }

  return (
    <dialog
      ref={dialog}
      aria-labelledby="entrar-titulo"
      onCancel={() => done("not-now")}
      className="m-auto w-[calc(100%-2rem)] max-w-md rounded-box border border-base-300 bg-base-100 p-6 text-base-content shadow-xl backdrop:bg-black/40"
    >
      <h2 id="entrar-titulo" className="font-semibold text-lg">
        {signedIn ? "Você entrou de novo" : isOther ? `Esta página é de ${email}` : "Sua sessão terminou"}
      </h2>
      <p className="mt-2 mb-4 text-base-content/80 text-sm">
        {signedIn
          ? "O que você digitou continua na página e ainda não foi enviado."
          : `${isOther ? "Neste navegador está aberta outra conta, e nada foi mudado nela. " : ""}O que você digitou continua nesta página. Entre para enviar.`}
      </p>
      {problem && <Alert tone="error" text={problem} />}
      {signedIn ? (
        <button type="button" className="btn btn-primary min-h-11 w-full" onClick={() => done("again")}>
          Enviar agora
        </button>
      ) : (
        <>
          <form noValidate onSubmit={enter} className="mt-4 flex flex-col gap-4">
            <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
            <PasswordField field={PASSWORD} label={`Senha de ${email}`} autoComplete="current-password" />
            <button type="submit" className="btn btn-primary min-h-11" aria-disabled={busy || undefined}>
              {busy ? "Entrando..." : "Entrar"}
            </button>
          </form>
          {provider && (
            <form
              method="post"
              action={paths.oauthStart()}
              target="entrar"
              className="mt-3"
              onSubmit={() => setInPopup(true)}
            >
              <input type="hidden" name="returnTo" value={paths.resumeForm("")} />
              <button type="submit" className="btn h-auto min-h-11 w-full border-base-300 py-2.5">
                {provider}
              </button>
            </form>
          )}
          <button
            type="button"
            className="link mt-3 inline-flex min-h-11 items-center text-sm"
            onClick={() => done("elsewhere")}
          >
            Entrar de outro jeito, em outra página
          </button>
        </>
      )}
      <button type="button" className="btn btn-ghost mt-2 min-h-11 w-full" onClick={() => done("not-now")}>
        Voltar à página
      </button>
    </dialog>
  );
}

const PASSWORD = {
  id: "senha-de-novo",
  name: "password",
  errors: undefined,
  errorId: "senha-de-novo-error",
  descriptionId: "senha-de-novo-help",
  initialValue: "",
};
