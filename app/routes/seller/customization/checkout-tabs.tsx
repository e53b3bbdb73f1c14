import {
  type CheckoutSettings,
  MAX_PRICE_GRACE_MINUTES,
  MIN_GUARANTEE_DAYS,
} from "#app/domain/storefront/checkout-settings.ts";
import { CHECKOUT_LABELS } from "#app/domain/storefront/customization-labels.ts";
import { BuyerFieldsTab } from "#app/routes/seller/customization/checkout-buyer-fields.tsx";
import { CheckoutColors } from "#app/routes/seller/customization/checkout-colors.tsx";
import type { CustomizationTab, Fields } from "#app/ui/seller/customization-screen.tsx";
import { ChoiceField } from "#app/ui/seller/form/choice-field.tsx";
import { CodeField } from "#app/ui/seller/form/code-field.tsx";
import { Field, WHOLE_NUMBER } from "#app/ui/seller/form/field.tsx";
import { Toggle } from "#app/ui/seller/form/toggle.tsx";
import { PictureField } from "#app/ui/seller/picture/picture-field.tsx";

const LABEL = CHECKOUT_LABELS;

/** The tabs in order, each with the fields that may have errors in it. */
export function checkoutTabs(fields: Fields, settings: CheckoutSettings): CustomizationTab[] {
  return [
    {
      id: "marca",
      label: "Marca",
      fields: ["brand_name", "brand_logo_url", "terms_url", "privacy_url", "custom_header", "custom_footer"],
      content: <Brand fields={fields} />,
    },
    {
      id: "cores",
      label: "Cores",
      fields: COLORS,
      content: <CheckoutColors fields={fields} settings={settings} />,
    },
    {
      id: "layout",
      label: "Layout",
      fields: [...BUYER_FIELDS, "total_section_style"],
      content: <BuyerFieldsTab fields={fields} settings={settings} />,
    },
    {
      id: "bumps",
      label: "Order Bumps",
      fields: ["order_bump_title", "order_bump_subtitle", "order_bump_style"],
      content: <Bumps fields={fields} />,
    },
    {
      id: "botoes",
      label: "Botões",
      fields: ["button_text", "button_style", "button_color"],
      content: <CheckoutColors fields={fields} settings={settings} button />,
    },
    {
      id: "confianca",
      label: "Confiança",
      fields: ["trust_badges_enabled", "guarantee_days", "support_contact"],
      content: <Trust fields={fields} />,
    },
    {
      id: "urgencia",
      label: "Urgência",
      fields: ["urgency_timer_enabled", "urgency_timer_minutes", "price_grace_minutes"],
      content: <Urgency fields={fields} />,
    },
    { id: "css", label: "CSS Customizado", fields: ["custom_css"], content: <Css fields={fields} /> },
  ];
}

const COLORS = [
  "primary_color",
  "secondary_color",
  "background_color",
  "discount_badge_color",
  "promotion_text_color",
];
const BUYER_FIELDS = [
  "require_name",
  "require_email",
  "require_email_confirmation",
  "require_document",
  "require_phone",
  "enable_pix",
  "enable_card",
  "pix_discount_percent",
];

const HTML = (
  <>
    HTML simples: textos, listas, imagens, tabelas e links. Código, formulários e páginas embutidas não são
    aceitos.
  </>
);

function Brand({ fields }: { fields: Fields }) {
  return (
    <>
      <Field
        field={fields.brand_name!}
        label={LABEL.brand_name}
        optional
        maxLength={80}
        help="Vazio, aparece o nome do produto."
      />
      <PictureField
        field={fields.brand_logo_url!}
        file={fields.brand_logo_url_file!}
        pictureUse="logo"
        label={LABEL.brand_logo_url}
        hint="O ideal é um PNG com fundo transparente, de 80 px de altura ou mais."
      />
      <Field
        field={fields.terms_url!}
        label={LABEL.terms_url}
        optional
        type="url"
        inputMode="url"
        placeholder="https://"
      />
      <Field
        field={fields.privacy_url!}
        label={LABEL.privacy_url}
        optional
        type="url"
        inputMode="url"
        placeholder="https://"
      />
      <CodeField field={fields.custom_header!} label={LABEL.custom_header} rows={4} help={HTML} />
      <CodeField field={fields.custom_footer!} label={LABEL.custom_footer} rows={4} help={HTML} />
    </>
  );
}

function Bumps({ fields }: { fields: Fields }) {
  return (
    <>
      <Field
        field={fields.order_bump_title!}
        label={LABEL.order_bump_title}
        maxLength={80}
        help="Vazio, volta a ser “Ofertas Especiais”."
      />
      <Field field={fields.order_bump_subtitle!} label={LABEL.order_bump_subtitle} optional maxLength={160} />
      <ChoiceField
        field={fields.order_bump_style!}
        label={LABEL.order_bump_style}
        choices={[
          ["card", "Cartão"],
          ["banner", "Faixa"],
          ["highlight", "Destaque"],
        ]}
      />
    </>
  );
}

function Trust({ fields }: { fields: Fields }) {
  return (
    <>
      <Toggle
        field={fields.trust_badges_enabled!}
        label={LABEL.trust_badges_enabled}
        help="Dados criptografados, pagamento via PIX, acesso por e-mail: só o que é verdade."
      />
      <Field
        field={fields.guarantee_days!}
        label={LABEL.guarantee_days}
        {...WHOLE_NUMBER}
        min={MIN_GUARANTEE_DAYS}
        max={365}
        help={`Aparece no checkout e na página de obrigado. Neste prazo quem compra recebe o dinheiro de volta quando pede, sem a sua resposta. O provedor devolve um PIX por 90 dias e um cartão por 180: depois disso é você quem devolve, pelo banco. A lei dá ${MIN_GUARANTEE_DAYS} dias a quem compra pela internet.`}
      />
      <Field
        field={fields.support_contact!}
        label={LABEL.support_contact}
        optional
        maxLength={120}
        placeholder="ajuda@suamarca.com.br"
        help="Um e-mail ou telefone em que quem compra fala com você. A lei pede um contato à vista; vazio, a página manda responder ao e-mail do pedido."
      />
    </>
  );
}

function Urgency({ fields }: { fields: Fields }) {
  return (
    <>
      <Toggle
        field={fields.urgency_timer_enabled!}
        label={LABEL.urgency_timer_enabled}
        help="Quando o tempo acaba, o botão vira “Oferta Expirada” e o pedido é recusado até a página ser aberta de novo."
      />
      <Field
        field={fields.urgency_timer_minutes!}
        label={LABEL.urgency_timer_minutes}
        {...WHOLE_NUMBER}
        min={5}
        max={120}
        help="De 5 a 120. A prévia mostra um exemplo, parado em 29:45."
      />
      <Field
        field={fields.price_grace_minutes!}
        label={LABEL.price_grace_minutes}
        {...WHOLE_NUMBER}
        min={0}
        max={MAX_PRICE_GRACE_MINUTES}
        help="Em minutos, de 0 a 60. Quem já estava na página quando um lote ou uma oferta terminou ainda compra pelo preço que viu, e um pedido já feito ainda pode ser pago, também depois do fim do cupom. Com 0, a página mostra os dois preços e pergunta."
      />
    </>
  );
}

function Css({ fields }: { fields: Fields }) {
  return (
    <CodeField
      field={fields.custom_css!}
      label={LABEL.custom_css}
      rows={12}
      placeholder={".ck-brand {\n  letter-spacing: 0.04em;\n}"}
      help={
        <>
          Vale para o seu cabeçalho e rodapé (com as suas classes), para o fundo (<code>body</code>) e para{" "}
          <code>.ck-brand</code>, <code>.ck-banner</code>, <code>.ck-countdown</code>,{" "}
          <code>.ck-product-name</code>, <code>.ck-product-description</code>, <code>.ck-bumps-title</code>,{" "}
          <code>.ck-bumps-subtitle</code> e <code>.ck-badges</code>. Preços, campos e o botão de pagar ficam
          como são, com a fonte da página. Tamanhos e espaços têm limite: o que passa dele é retirado e
          listado aqui.
        </>
      }
    />
  );
}
