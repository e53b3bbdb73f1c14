import { cardOn } from "#app/domain/storefront/build-palette.ts";
import { CHECKOUT_DEFAULTS, type CheckoutSettings } from "#app/domain/storefront/checkout-settings.ts";
import { CHECKOUT_LABELS } from "#app/domain/storefront/customization-labels.ts";
import type { ColorUse } from "#app/domain/storefront/sanitize/contrast.ts";
import { pick } from "#app/kit/pick.ts";
import type { Fields } from "#app/ui/seller/customization-screen.tsx";
import { ChoiceField } from "#app/ui/seller/form/choice-field.tsx";
import { ColorField } from "#app/ui/seller/form/color-field.tsx";
import { Field } from "#app/ui/seller/form/field.tsx";
import { useTyped } from "#app/ui/seller/preview/live.ts";

/** `use`: without one its texts are on cards. */
type ColorRow = {
  help: string;
  use?: ColorUse;
  consequence: (nearest: string) => string;
  givesWayAt?: string;
};

const ROWS: Record<string, ColorRow> = {
  primary_color: {
    help: "Pagamento escolhido, total, links e foco; também o botão, enquanto ele não tem cor própria. Enquanto for a padrão, segue a cor do botão.",
    consequence: (nearest) => `Em textos e linhas a página usa ${nearest}, a cor legível mais próxima.`,
    givesWayAt: CHECKOUT_DEFAULTS.primary_color,
  },
  secondary_color: {
    help: "Títulos das seções.",
    consequence: (nearest) =>
      `Os títulos ficam na cor comum do texto. A cor legível mais próxima é ${nearest}.`,
  },
  background_color: {
    help: "Atrás dos cartões. Uma cor escura deixa a página toda escura.",
    use: { under: "text" },
    consequence: (nearest) =>
      `O nome da marca e o rodapé ficam difíceis de ler. A cor legível mais próxima é ${nearest}.`,
  },
  discount_badge_color: {
    help: "O selo “% OFF” e a faixa do timer.",
    use: { under: "text" },
    consequence: (nearest) => `O texto do selo fica difícil de ler. A cor legível mais próxima é ${nearest}.`,
  },
  promotion_text_color: {
    help: "Texto promocional e economia.",
    consequence: (nearest) => `Nos textos a página usa ${nearest}, a cor legível mais próxima.`,
  },
};

/** 'Cores', or with `button` the fields of 'Botões'. */
export function CheckoutColors(props: { fields: Fields; settings: CheckoutSettings; button?: boolean }) {
  const { fields, settings } = props;
  const card = cardOn(useTyped(settings, "background_color"));
  const gradient = useTyped(settings, "button_style") === "gradient";
  if (!props.button)
    return Object.entries(ROWS).map(([name, { use = { textOn: card }, ...row }]) => (
      <ColorField key={name} field={fields[name]!} label={pick(CHECKOUT_LABELS, name)!} use={use} {...row} />
    ));
  return (
    <>
      <Field
        field={fields.button_text!}
        label={CHECKOUT_LABELS.button_text}
        optional
        maxLength={40}
        help="Vazio, o botão diz “FINALIZAR COMPRA SEGURA”."
      />
      <ChoiceField
        field={fields.button_style!}
        label={CHECKOUT_LABELS.button_style}
        choices={[
          ["standard", "Padrão"],
          ["gradient", "Degradê"],
          ["glow", "Brilho"],
        ]}
      />
      <ColorField
        field={fields.button_color!}
        label={CHECKOUT_LABELS.button_color}
        help="Enquanto for a cor padrão, o botão segue a cor principal. O texto dele fica branco ou preto, o que se lê melhor."
        use={{ under: "button", gradient }}
        consequence={(nearest) =>
          `O texto do botão fica difícil de ler no alto do degradê. A cor legível mais próxima é ${nearest}.`
        }
      />
    </>
  );
}
