import { Link } from "@remix-run/react";
import { CopyPlus, Link2, Pencil, Trash2 } from "lucide-react";
import { paths } from "#app/kit/paths.ts";
import { Badge, type BadgeTone } from "#app/ui/seller/badge.tsx";
import { Fact } from "#app/ui/seller/card.tsx";
import { ConfirmDialog } from "#app/ui/seller/confirm-dialog.tsx";
import { CopyButton } from "#app/ui/seller/copy-button.tsx";
import { ItemAction } from "#app/ui/seller/form/item-action.tsx";
import { ItemForm } from "#app/ui/seller/form/item-form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";

type Coupon = {
  id: string;
  code: string;
  discount: string;
  products: string;
  period: string;
  uses: string;
  conditions: string;
  active: boolean;
  state: { label: string; tone: BadgeTone };
  link: string | null;
  openedAt: number;
};

/** A coupon in the grid, with all its actions. */
export function CouponCard({ coupon }: { coupon: Coupon }) {
  return (
    <li className="flex min-w-0 flex-col rounded-box border border-base-300 bg-base-100">
      <div className="flex min-w-0 flex-1 flex-col gap-3 p-4">
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <h2 className="wrap-anywhere min-w-0 font-semibold">{coupon.code}</h2>
          <Badge tone={coupon.state.tone}>{coupon.state.label}</Badge>
        </div>
        <div className="flex items-center justify-between gap-2">
          <p className="min-w-0 font-semibold text-lg sm:text-base">{coupon.discount}</p>
          <div className="max-sm:hidden">
            <Switch coupon={coupon} className="border-base-300 bg-base-100 px-3 text-sm" />
          </div>
        </div>
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
          <Fact name="Vale para">{coupon.products}</Fact>
          <Fact name="Validade">{coupon.period}</Fact>
          <Fact name="Usos">{coupon.uses}</Fact>
          {coupon.conditions && <Fact name="Regras">{coupon.conditions}</Fact>}
        </dl>
      </div>
      <Actions coupon={coupon} />
    </li>
  );
}

function Actions({ coupon }: { coupon: Coupon }) {
  const { id, code, link, openedAt } = coupon;
  return (
    <div className="flex items-center border-base-300 border-t px-1 py-1 sm:gap-0.5 sm:px-2 sm:py-1.5">
      <Link to={paths.coupon(id)} className="btn btn-ghost min-h-11 px-3 sm:mr-auto" title="Editar">
        <Pencil className="size-4" aria-hidden="true" />
        <span className="max-sm:sr-only">Editar</span>
        <span className="sr-only"> {code}</span>
      </Link>
      <div className="mr-auto sm:hidden">
        <Switch coupon={coupon} className="btn-ghost px-2 text-sm" />
      </div>
      {link ? (
        <CopyButton
          text={link}
          label={`Copiar link do cupom ${code}`}
          done="Link copiado para a área de transferência!"
          iconOnly
        />
      ) : (
        <Link to={`${paths.coupon(id)}#links`} className={ICON} title="Links do cupom">
          <Link2 className="size-4" aria-hidden="true" />
          <span className="sr-only">Links do cupom {code}</span>
        </Link>
      )}
      <ItemAction
        id={id}
        intent="duplicate"
        label="Duplicar"
        pending="Duplicando"
        name={code}
        at={openedAt}
        icon={<CopyPlus className="size-4" aria-hidden="true" />}
      />
      <ConfirmDialog
        trigger={<Trash2 className="size-4" aria-hidden="true" />}
        triggerLabel={`Deletar ${code}`}
        triggerClassName={`${ICON} text-error`}
        title="Deletar cupom?"
        text={
          <>
            <strong className="break-words">{code}</strong> sai da sua lista e deixa de valer, também nos
            links que você já divulgou. Vendas feitas com ele são mantidas, e quem já tem um PIX paga o preço
            combinado. Não dá para desfazer.
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

function Switch({ coupon, className }: { coupon: Coupon; className: string }) {
  return (
    <ItemForm id={coupon.id}>
      <SubmitButton
        intent={coupon.active ? "deactivate" : "activate"}
        item={coupon.id}
        pending="Salvando..."
        className={className}
      >
        {coupon.active ? "Pausar" : "Ativar"}
        <span className="sr-only"> {coupon.code}</span>
      </SubmitButton>
    </ItemForm>
  );
}

const ICON = "btn btn-ghost btn-square size-11";
