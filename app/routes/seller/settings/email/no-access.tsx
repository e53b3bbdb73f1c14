import { useEffect, useRef } from "react";
import { Alert } from "#app/ui/seller/alert.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";

/** Shown beside the save button, whose next click confirms it: above the form, or at its end on a phone. */
export function NoAccess() {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} tabIndex={-1} className="scroll-mt-40 outline-none lg:order-first">
      <input type="hidden" name="without_access" value="on" />
      <Alert tone="warning">
        <p>
          <strong>Nada foi salvo ainda.</strong> O modelo não leva o comprador ao que ele comprou: falta{" "}
          <code>{"{product_file_url}"}</code> como endereço de um link ou botão. Se salvar assim mesmo, o
          botão de acesso vai no fim de cada e-mail.
        </p>
        <SubmitButton intent="add-access" className="btn-outline mt-3">
          Adicionar o botão e salvar
        </SubmitButton>
      </Alert>
    </div>
  );
}
