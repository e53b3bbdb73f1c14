import { Check, Music } from "lucide-react";

/** A small illustration of a checkout, with one text alternative. */
export function CheckoutSketch() {
  return (
    <div
      role="img"
      aria-label="Ilustração de um checkout: produto, oferta extra, total e o botão de pagar com PIX"
      className="mx-auto w-full max-w-sm select-none rounded-box border border-base-300 bg-base-200 p-5 shadow-xl"
    >
      <div className="rounded-box border border-base-300 bg-base-100 p-5">
        <div className="flex items-center gap-3">
          <span className="grid size-14 place-items-center rounded-field bg-primary/15 text-primary">
            <Music className="size-6" />
          </span>
          <div>
            <p className="font-medium">Curso de Violão</p>
            <p className="text-base-content/70 text-sm">Do zero às primeiras músicas</p>
          </div>
        </div>
        <div className="mt-4 flex items-center gap-3 rounded-field border border-primary/40 border-dashed bg-primary/5 p-3 text-sm">
          <span className="grid size-5 place-items-center rounded bg-primary text-primary-content">
            <Check className="size-3.5" />
          </span>
          Apostila de cifras
          <span className="ml-auto whitespace-nowrap font-medium">+ R$ 19,90</span>
        </div>
        <div className="mt-4 flex items-end justify-between border-base-300 border-t pt-4">
          <span className="text-base-content/70 text-sm">Total a pagar</span>
          <span className="font-semibold text-2xl">R$ 116,90</span>
        </div>
        <div className="mt-4 rounded-field bg-success py-3 text-center font-semibold text-success-content">
          Pagar com PIX
        </div>
      </div>
      <div className="mt-3 flex items-center gap-3 rounded-box border border-base-300 bg-base-100 p-4 text-sm">
        <span className="grid size-8 place-items-center rounded-full bg-success/15 text-success">
          <Check className="size-4" />
        </span>
        <span>
          <span className="block font-medium">Pagamento Aprovado!</span>
          <span className="text-base-content/70">Acesso enviado por e-mail</span>
        </span>
      </div>
    </div>
  );
}
