import { ExternalLink } from "lucide-react";
import { useState } from "react";
import { Card } from "#app/ui/seller/card.tsx";
import { CopyButton } from "#app/ui/seller/copy-button.tsx";
import { Form } from "#app/ui/seller/form/form.tsx";
import { Plain } from "#app/ui/seller/scripted.tsx";

type Props = {
  /** `begins`: when the period of its offer begins, where that is later. */
  links: { id: string; name: string; link: string; begins: string | null }[];
  chosen: string | null;
  isForOffers: boolean;
  /** The lowest price that the coupon is valid for. */
  minimum: string | null;
};

/**
 * The addresses of checkouts with the coupon applied. Without JavaScript the select is a form of its own that loads the
 * page with `?product=`; `chosen` is that product, or that offer.
 */
export function CouponLinks({ links, chosen, isForOffers, minimum }: Props) {
  const [id, setId] = useState(chosen);
  const current = links.find((one) => one.id === id) ?? links[0];
  return (
    <div id="links" className="scroll-mt-24">
      <Card
        title="Link do cupom"
        text={`Enquanto o cupom vale, quem abre o checkout por este link já vê o preço com o desconto${minimum ? `, se o preço cheio for de ${minimum} ou mais` : ""}.`}
      >
        {!current && (
          <p className="text-base-content/70 text-sm">
            Não há link agora: {isForOffers ? "nenhuma oferta" : "nenhum produto"} deste cupom está{" "}
            {isForOffers ? "à venda" : "ativo"}.
          </p>
        )}
        {links.length > 1 && (
          <Form method="get" action="#links" className="mb-4 flex flex-wrap items-end gap-2">
            <label className="min-w-0 flex-1 basis-48">
              <span className="mb-1.5 block font-medium text-sm">
                {isForOffers ? "Oferta do link" : "Produto do link"}
              </span>
              <select
                name="product"
                value={current!.id}
                onChange={(event) => setId(event.target.value)}
                className="select h-11 w-full text-base sm:text-sm"
              >
                {links.map((one) => (
                  <option key={one.id} value={one.id}>
                    {one.begins ? `${one.name} (começa em ${one.begins})` : one.name}
                  </option>
                ))}
              </select>
            </label>
            <Plain>
              <button type="submit" className="btn min-h-11 border-base-300">
                Mostrar link
              </button>
            </Plain>
          </Form>
        )}
        {current?.begins && (
          <p className="text-base-content/70 text-sm">
            A oferta deste link só começa em {current.begins}: até lá, ela não pode ser comprada.
          </p>
        )}
        {current && (
          <div className="flex items-center gap-1">
            <a
              href={current.link}
              target="_blank"
              rel="noreferrer"
              className="link wrap-anywhere min-w-0 flex-1 py-3 text-sm"
            >
              {current.link}
              <ExternalLink className="ml-1 inline size-4" aria-hidden="true" />
              <span className="sr-only"> (abre em nova aba)</span>
            </a>
            <CopyButton
              text={current.link}
              label="Copiar link do cupom"
              done="Link copiado para a área de transferência!"
              iconOnly
            />
          </div>
        )}
      </Card>
    </div>
  );
}
