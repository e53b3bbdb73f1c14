import { paths } from "#app/kit/paths.ts";

/** What a page shows in place of itself when it cannot be. `text` is a refusal's own message. */
export function ErrorScreen(props: { missing: boolean; text?: string | undefined }) {
  return (
    <div className="mx-auto flex max-w-md flex-col justify-center gap-4 py-16">
      <h1 className="font-semibold text-2xl tracking-tight">{errorTitle(props.missing)}</h1>
      <p className="text-base-content/80">
        {props.text ??
          (props.missing
            ? "O endereço não existe ou o item não é seu."
            : "Já registramos o problema. Tente de novo em alguns instantes.")}
      </p>
      <a className="btn btn-primary min-h-11 w-fit" href={paths.home()}>
        Voltar ao início
      </a>
    </div>
  );
}

export function errorTitle(missing: boolean): string {
  return missing ? "Página não encontrada" : "Algo deu errado";
}
