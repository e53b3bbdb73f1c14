import { MAX_SOURCE_LENGTH, SOURCE_PARAMETERS } from "#app/domain/checkout/link/build-link.ts";
import { Card } from "#app/ui/seller/card.tsx";
import { Field } from "#app/ui/seller/form/field.tsx";
import { Form } from "#app/ui/seller/form/form.tsx";
import { Select } from "#app/ui/seller/form/select.tsx";

/** What the seller chose. */
type Props = {
  addresses: { value: string; label: string }[];
  address: string;
  coupons: string[];
  code: string;
  quantity: string | null;
  limits: { min: number; max: number };
  bumps: { id: number; name: string; price: string }[];
  bumpIds: number[];
  source: Record<string, string>;
};

const EXAMPLES: Record<(typeof SOURCE_PARAMETERS)[number], string> = {
  utm_source: "instagram",
  utm_medium: "bio",
  utm_campaign: "lancamento",
  utm_content: "video-1",
  utm_term: "violao",
  src: "",
  sck: "",
};

const OPTIONAL = "Tudo é opcional. Mude e toque em 'Gerar link'.";

/** The choices of a link. A GET form: what is chosen is in the screen's own address. */
export function LinkForm({
  addresses,
  address,
  coupons,
  code,
  quantity,
  limits,
  bumps,
  bumpIds,
  source,
}: Props) {
  const field = (name: string, initialValue: string) => ({
    id: `link-${name}`,
    name,
    // The form shows what the address says, also after going back.
    key: `${name} ${initialValue}`,
    errors: undefined,
    errorId: `link-${name}-erro`,
    descriptionId: `link-${name}-ajuda`,
    initialValue,
  });
  const hasCoupons = coupons.length > 0 || Boolean(code);
  const hasChoices = addresses.length > 1 || quantity !== null || hasCoupons || bumps.length > 0;
  return (
    <Form method="get" id="links" className="flex flex-col gap-6">
      {hasChoices && (
        <Card title="O que o link leva" text={OPTIONAL}>
          <div className="grid gap-5">
            {addresses.length > 1 && (
              <Select field={field("address", address)} label="Endereço" options={addresses} />
            )}
            {quantity !== null && (
              <Field
                field={field("quantity", quantity)}
                label="Quantidade"
                help={`De ${limits.min} a ${limits.max}. O comprador ainda pode mudar.`}
                inputMode="numeric"
                maxLength={6}
              />
            )}
            {hasCoupons && (
              <>
                <Field
                  field={field("coupon", code)}
                  label="Cupom"
                  help="Quem abre o link já vê o preço com o desconto."
                  optional
                  list="link-cupons"
                  autoComplete="off"
                  autoCapitalize="characters"
                  maxLength={32}
                />
                <datalist id="link-cupons">
                  {coupons.map((one) => (
                    <option key={one} value={one} />
                  ))}
                </datalist>
              </>
            )}
            {bumps.length > 0 && <Bumps key={bumpIds.join()} bumps={bumps} bumpIds={bumpIds} />}
          </div>
        </Card>
      )}
      <Card
        title="Origem"
        text={`Aparece na venda, nos relatórios e na UTMify.${hasChoices ? "" : ` ${OPTIONAL}`}`}
      >
        <div className="grid gap-5 sm:grid-cols-2">
          {SOURCE_PARAMETERS.map((name) => (
            <Field
              key={name}
              field={field(name, source[name] ?? "")}
              label={name}
              optional
              placeholder={EXAMPLES[name]}
              autoComplete="off"
              autoCapitalize="none"
              maxLength={MAX_SOURCE_LENGTH}
            />
          ))}
        </div>
      </Card>
      <button type="submit" className="btn btn-primary min-h-11 self-start lg:hidden">
        Gerar link
      </button>
    </Form>
  );
}

function Bumps({ bumps, bumpIds }: Pick<Props, "bumps" | "bumpIds">) {
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium text-sm">Order bumps já marcados</legend>
      <div className="flex flex-col">
        {bumps.map(({ id, name, price }) => (
          <label key={id} className="flex min-h-11 cursor-pointer items-center gap-3 py-1.5 text-sm">
            <input
              type="checkbox"
              name="bump"
              value={id}
              defaultChecked={bumpIds.includes(id)}
              className="checkbox checkbox-primary checkbox-sm shrink-0"
            />
            <span className="wrap-anywhere min-w-0">{name}</span>
            <span className="ml-auto shrink-0 text-base-content/70">{price}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
