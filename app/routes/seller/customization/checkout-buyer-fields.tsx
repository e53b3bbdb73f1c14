import { type CheckoutSettings, MAX_PIX_DISCOUNT } from "#app/domain/storefront/checkout-settings.ts";
import { CHECKOUT_LABELS } from "#app/domain/storefront/customization-labels.ts";
import { ExplainedToggle } from "#app/routes/seller/customization/explained-toggle.tsx";
import type { Fields } from "#app/ui/seller/customization-screen.tsx";
import { ChoiceField } from "#app/ui/seller/form/choice-field.tsx";
import { Field, WHOLE_NUMBER } from "#app/ui/seller/form/field.tsx";
import { Toggle } from "#app/ui/seller/form/toggle.tsx";
import { useHydrated } from "#app/ui/seller/hydrated.ts";
import { useLive } from "#app/ui/seller/preview/live.ts";

const LABEL = CHECKOUT_LABELS;

/** 'Layout': the fields that buyers fill in and the payment methods. */
export function BuyerFieldsTab({ fields, settings }: { fields: Fields; settings: CheckoutSettings }) {
  const { typed } = useLive();
  const hydrated = useHydrated();
  const requiresEmail = typed ? typed.has("require_email") : settings.require_email;
  return (
    <>
      <fieldset className="flex flex-col gap-4">
        <legend className="mb-3 font-semibold text-sm">O que pedir a quem compra</legend>
        <Toggle field={fields.require_name!} label={LABEL.require_name} />
        <ExplainedToggle
          field={fields.require_email!}
          label={LABEL.require_email}
          offText="Sem o e-mail não enviamos a confirmação da compra nem o link de acesso, e quem perder a página não consegue pedir o link de novo. Resta o download na página de obrigado. O lembrete de PIX também deixa de ir."
        />
        <Toggle
          field={fields.require_email_confirmation!}
          label={LABEL.require_email_confirmation}
          disabled={hydrated && !requiresEmail}
          help={
            requiresEmail
              ? "Um segundo campo contra erros de digitação."
              : "Só vale enquanto o e-mail é pedido."
          }
        />
        <Toggle
          field={fields.require_document!}
          label={LABEL.require_document}
          help="Quem compra pode trocar para CNPJ."
        />
        <Toggle field={fields.require_phone!} label={LABEL.require_phone} />
      </fieldset>
      <fieldset className="flex flex-col gap-4">
        <legend className="mb-3 font-semibold text-sm">Como receber</legend>
        <ExplainedToggle
          field={fields.enable_pix!}
          label={LABEL.enable_pix}
          offText="Sem PIX ninguém consegue pagar: o botão fica desligado e a página diz que você não está recebendo pagamentos."
        />
        <Toggle
          field={fields.enable_card!}
          label={LABEL.enable_card}
          help="Vale quando uma conta em Configurações recebe cartões e o e-mail é pedido. Desligado, o checkout oferece só PIX."
        />
        <Field
          field={fields.pix_discount_percent!}
          label={LABEL.pix_discount_percent}
          {...WHOLE_NUMBER}
          min={0}
          max={MAX_PIX_DISCOUNT}
          help={`De 0 a ${MAX_PIX_DISCOUNT}. Quem paga com PIX paga menos, depois do cupom e também nos order bumps. Só vale quando o checkout oferece cartão: a página mostra os dois totais.`}
        />
      </fieldset>
      <ChoiceField
        field={fields.total_section_style!}
        label={LABEL.total_section_style}
        choices={[
          ["standard", "Padrão"],
          ["highlight", "Destaque"],
          ["gradient", "Degradê"],
        ]}
      />
    </>
  );
}
