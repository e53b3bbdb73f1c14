import { Link } from "@remix-run/react";
import { CARDS_WITHOUT_PIX, readAccount } from "#app/domain/gateway/providers/account-form.ts";
import { paths } from "#app/kit/paths.ts";
import { pick } from "#app/kit/pick.ts";
import type { AccountCard, FieldsOf, Gateways } from "#app/routes/seller/settings/gateways/fields.ts";
import { Alert } from "#app/ui/seller/alert.tsx";
import { Badge } from "#app/ui/seller/badge.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { CopyButton } from "#app/ui/seller/copy-button.tsx";
import { Field } from "#app/ui/seller/form/field.tsx";
import { PasswordField } from "#app/ui/seller/form/password-field.tsx";
import { Select } from "#app/ui/seller/form/select.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
import { Toggle } from "#app/ui/seller/form/toggle.tsx";

type Props = { card: AccountCard; fields: FieldsOf; gateways: Gateways };

/** An account's card, built from its form: switch and keys, and for payment accounts the webhook address. */
export function GatewayCard(props: Props) {
  const { card, fields } = props;
  return (
    <Card
      isRegion
      title={card.title}
      text={card.text}
      action={card.charges && <Badge tone={card.charges.badge.tone}>{card.charges.badge.label}</Badge>}
    >
      <div className="flex flex-col gap-5">
        {card.charges?.keyRefused && <Alert tone="error" text={card.charges.keyRefused} />}
        {card.charges?.outage && <Alert tone="warning" live={false} text={card.charges.outage} />}
        {card.charges?.cardsRefused && <Alert tone="warning" live={false} text={card.charges.cardsRefused} />}
        {card.charges?.keyUntested && (
          <Alert tone="warning" live={false}>
            <p>{card.charges.keyUntested}</p>
            <SubmitButton
              intent={webhookTest(card)}
              pending="Testando..."
              className="btn-sm btn-neutral mt-3"
            >
              Testar a chave
            </SubmitButton>
          </Alert>
        )}
        {card.charges && <KeyWithoutUse {...props} />}
        <Toggle
          field={fields[card.toggle.field]!}
          label={card.toggle.label}
          help={
            card.charges && !readAccount(card, props.gateways).hasKeys
              ? "Só vale depois que a API Key for salva."
              : undefined
          }
        />
        {card.cardToggle && (
          <Toggle
            field={fields[card.cardToggle.field]!}
            label={card.cardToggle.label}
            help={card.cardToggle.hint}
          />
        )}
        {card.charges?.spareFailure && (
          <Alert
            tone="warning"
            live={false}
            text={`No teste diário, esta conta não gerou um código PIX: “${card.charges.spareFailure}”. Enquanto isso ela não serve de reserva. Confira a conta no painel do provedor e use Testar Webhook: em minutos repetimos o teste.`}
          />
        )}
        {card.charges?.spareOf && !card.charges.spareFailure && (
          <p className="text-base-content/70 text-sm">
            {`Reserva: esta conta gera o PIX quando ${card.charges.spareOf} não gerar.`}
          </p>
        )}
        {card.keys.map(({ field, label, isSecret, isOptional, hint }) => {
          const Input = isSecret ? PasswordField : Field;
          return (
            <Input
              key={field}
              field={fields[field]!}
              label={label}
              help={hint}
              autoComplete="off"
              {...(isOptional ? { optional: true } : {})}
            />
          );
        })}
        {card.charges && <Webhook {...props} charges={card.charges} />}
      </div>
    </Card>
  );
}

/** Which account creates the codes while all of them can; nothing where fewer than two are on. */
export function FirstProviderCard({
  cards,
  gateways,
  fields,
}: Omit<Props, "card"> & { cards: AccountCard[] }) {
  const usable = cards.filter((card) => card.charges && readAccount(card, gateways).isOn);
  if (usable.length < 2) return null;
  return (
    <Card
      isRegion
      title="Ordem dos provedores"
      text="Se o primeiro recusar o pedido ou não responder em 4 segundos, o comprador recebe na hora o PIX de outra conta ligada."
    >
      <Select
        field={fields.first_provider!}
        label="Gerar o PIX primeiro por"
        options={usable.map(({ name, title }) => ({ value: name, label: title }))}
      />
    </Card>
  );
}

/** A key that is saved but not enabled: most sellers who paste one mean to sell. */
function KeyWithoutUse({ card, gateways }: Props) {
  const { hasKeys, isOn, takesCards } = readAccount(card, gateways);
  if (!hasKeys || isOn || (takesCards && gateways.first_provider !== "")) return null;
  return (
    <Alert tone="warning" live={false}>
      <p>
        {takesCards
          ? `${CARDS_WITHOUT_PIX}.`
          : "A API Key está salva, mas o recebimento está desligado: nenhum comprador consegue pagar por aqui."}
      </p>
      <button
        type="submit"
        name={card.toggle.field}
        value="on"
        className="btn btn-sm btn-neutral mt-3 min-h-11"
      >
        Ligar e salvar
      </button>
    </Alert>
  );
}

/** The provider's webhook address, and the button that tests it. */
function Webhook({ charges, ...props }: Props & { charges: NonNullable<AccountCard["charges"]> }) {
  const url = String(pick(props.gateways, charges.webhook.field));
  const isReady = readAccount(props.card, props.gateways).hasKeys;
  const hintId = `teste-webhook-${props.card.name}`;
  return (
    <>
      <div>
        <h3 className="font-medium text-sm">URL do webhook</h3>
        <p className="mt-0.5 text-base-content/70 text-xs">{charges.webhook.hint}</p>
        <div className="mt-1.5 flex items-center gap-1 rounded-field border border-base-300 bg-base-200 py-1 pr-1 pl-3">
          <code className="min-w-0 flex-1 break-all py-2 text-xs">{url}</code>
          <CopyButton text={url} label="Copiar URL do webhook" iconOnly />
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-3">
        {isReady ? (
          <SubmitButton intent={webhookTest(props.card)} pending="Testando..." className="border-base-300">
            Testar Webhook
          </SubmitButton>
        ) : (
          <button type="button" className="btn min-h-11" disabled aria-describedby={hintId}>
            Testar Webhook
          </button>
        )}
        {charges.webhook.setup && (
          <Link to={paths.webhookSetup(props.card.name)} className="btn min-h-11 border-base-300 bg-base-100">
            Configurar passo a passo
          </Link>
        )}
        <p id={hintId} className="text-base-content/70 text-xs">
          {isReady ? charges.testHint : charges.keyMissing}
        </p>
      </div>
    </>
  );
}

/** The button's intent contains the name of its card. */
export function webhookTest({ name }: Pick<AccountCard, "name">): string {
  return `test-webhook:${name}`;
}
