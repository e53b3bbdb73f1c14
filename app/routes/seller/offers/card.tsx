import { Link } from "@remix-run/react";
import { ArrowDown, ArrowUp, CopyPlus, Pencil, Trash2 } from "lucide-react";
import { paths } from "#app/kit/paths.ts";
import { Badge, type BadgeTone } from "#app/ui/seller/badge.tsx";
import { Fact } from "#app/ui/seller/card.tsx";
import { ConfirmDialog } from "#app/ui/seller/confirm-dialog.tsx";
import { CopyButton } from "#app/ui/seller/copy-button.tsx";
import { ItemAction } from "#app/ui/seller/form/item-action.tsx";
import { ItemForm } from "#app/ui/seller/form/item-form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";

type Offer = {
  id: string;
  name: string;
  price: string;
  kind: string;
  period: string;
  sold: string;
  conditions: string;
  active: boolean;
  state: { label: string; tone: BadgeTone };
  link: string;
  openedAt: number;
};

type Props = { offer: Offer; productId: number; isFirst: boolean; isLast: boolean };

/** An offer in the list, with all its actions. */
export function OfferCard(props: Props) {
  const { offer } = props;
  return (
    <li className="flex min-w-0 flex-col rounded-box border border-base-300 bg-base-100">
      <div className="flex min-w-0 flex-1 flex-col gap-3 p-4">
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <h2 className="wrap-anywhere min-w-0 font-semibold">{offer.name}</h2>
          <Badge tone={offer.state.tone}>{offer.state.label}</Badge>
        </div>
        <div className="flex items-center justify-between gap-2">
          <p className="min-w-0 font-semibold text-lg">{offer.price}</p>
          <ItemForm id={offer.id}>
            <SubmitButton
              intent={offer.active ? "deactivate" : "activate"}
              item={offer.id}
              pending="Salvando..."
              className="border-base-300 bg-base-100 px-3 text-sm"
            >
              {offer.active ? "Pausar" : "Ativar"}
              <span className="sr-only"> {offer.name}</span>
            </SubmitButton>
          </ItemForm>
        </div>
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
          <Fact name="Tipo">{offer.kind}</Fact>
          <Fact name="Período">{offer.period}</Fact>
          <Fact name="Unidades">{offer.sold}</Fact>
          {offer.conditions && <Fact name="Regras">{offer.conditions}</Fact>}
        </dl>
      </div>
      <Actions {...props} />
    </li>
  );
}

function Actions({ offer, productId, isFirst, isLast }: Props) {
  const { id, name, link } = offer;
  return (
    <div className="flex items-center border-base-300 border-t px-1 py-1 sm:gap-0.5 sm:px-2 sm:py-1.5">
      <Link to={paths.offer(productId, id)} className="btn btn-ghost mr-auto min-h-11 px-3" title="Editar">
        <Pencil className="size-4" aria-hidden="true" />
        <span className="max-sm:sr-only">Editar</span>
        <span className="sr-only"> {name}</span>
      </Link>
      <CopyButton
        text={link}
        label={`Copiar link da oferta ${name}`}
        done="Link copiado para a área de transferência!"
        iconOnly
      />
      <ItemAction
        id={id}
        intent="up"
        label="Subir"
        name={name}
        disabled={isFirst}
        pending="Subindo"
        icon={<ArrowUp className="size-4" aria-hidden="true" />}
      />
      <ItemAction
        id={id}
        intent="down"
        label="Descer"
        name={name}
        disabled={isLast}
        pending="Descendo"
        icon={<ArrowDown className="size-4" aria-hidden="true" />}
      />
      <ItemAction
        id={id}
        intent="duplicate"
        label="Duplicar"
        name={name}
        pending="Duplicando"
        at={offer.openedAt}
        icon={<CopyPlus className="size-4" aria-hidden="true" />}
      />
      <ConfirmDialog
        trigger={<Trash2 className="size-4" aria-hidden="true" />}
        triggerLabel={`Deletar ${name}`}
        triggerClassName="btn btn-ghost btn-square size-11 text-error"
        title="Deletar oferta?"
        text={
          <>
            <strong className="break-words">{name}</strong> sai da sua lista e o link dela deixa de existir.
            Vendas feitas com ela são mantidas, e quem já tem um PIX paga o preço combinado. Não dá para
            desfazer.
          </>
        }
      >
        <ItemForm id={id}>
          <SubmitButton intent="delete" item={id} pending="Deletando..." className="btn-error">
            Deletar
          </SubmitButton>
        </ItemForm>
      </ConfirmDialog>
    </div>
  );
}
