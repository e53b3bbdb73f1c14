import { Link } from "@remix-run/react";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";

/** The buttons of a long form, in sight at its end; wide screens have them at the top. */
export function SaveBar({ cancel, submit }: { cancel: string; submit: string }) {
  return (
    <div className="sticky bottom-0 z-10 -mx-4 flex flex-wrap justify-end gap-2 border-base-300 border-t bg-base-100 px-4 py-3 sm:mx-0 sm:rounded-box sm:border lg:hidden">
      <Link to={cancel} className="btn btn-ghost min-h-11">
        Cancelar
      </Link>
      <SubmitButton className="btn-primary min-w-40">{submit}</SubmitButton>
    </div>
  );
}
