import { getFormProps, useForm } from "@conform-to/react";
import { useEffect, useRef } from "react";
import type { TrackingState } from "#app/domain/tracking/find-tracking-state.server.ts";
import { paths } from "#app/kit/paths.ts";
import { pick } from "#app/kit/pick.ts";
import { FirstProviderCard, GatewayCard, webhookTest } from "#app/routes/seller/settings/gateways/cards.tsx";
import { DisputesCard, OverpaymentsCard } from "#app/routes/seller/settings/gateways/choices.tsx";
import type {
  AccountCard,
  FieldsOf,
  GatewayFields,
  Gateways,
  TestResult,
} from "#app/routes/seller/settings/gateways/fields.ts";
import { MailCard } from "#app/routes/seller/settings/gateways/mail.tsx";
import { IntegrationsCard, TrackingCard } from "#app/routes/seller/settings/gateways/tracking-card.tsx";
import { Alert } from "#app/ui/seller/alert.tsx";
import { FormErrors } from "#app/ui/seller/form/errors.tsx";
import { type FormReply, RestoredForm, useRestoredForm } from "#app/ui/seller/form/restored-form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";

/** An account whose key would be removed, and the answers about other ones that were cleared in the same form. */
export type RemovedKey = { name: string; of: string; answers: { answer: string; name: string }[] };

/** The last action's reply, and the button it belongs to. */
export type GatewaysReply = {
  intent: string;
  testResult: TestResult | null;
  result: FormReply | null;
  /** The account whose key would be removed, after a confirmation. */
  removes?: RemovedKey | null;
} | null;

type Props = {
  gateways: Gateways;
  version: string;
  keyVersion: string;
  cards: AccountCard[];
  /** Whether buyers lose access while their payment is disputed. */
  suspendsDisputed: boolean;
  /** Whether overpayments are refunded automatically. */
  refundsOverpayments: boolean;
  tracking: TrackingState;
  email: string;
  reply: GatewaysReply;
};

export function GatewaysTab(props: Props) {
  const { gateways, reply } = props;
  const { values, key, onSaved } = useRestoredForm("gateways", props);
  const resultOf = (intent: string) => (reply?.intent === intent ? reply.result : null);
  const tested = props.cards.map(webhookTest).find((intent) => intent === reply?.intent);
  return (
    <div className="flex flex-col gap-6">
      <GatewaysForm
        key={key}
        {...props}
        gateways={values.gateways}
        version={values.version}
        onSaved={onSaved}
        result={resultOf(tested ?? "gateways")}
      />
      <DisputesCard suspends={props.suspendsDisputed} />
      <OverpaymentsCard refunds={props.refundsOverpayments} />
      <MailCard
        apiKey={gateways.resend_api_key}
        version={props.keyVersion}
        email={props.email}
        reply={resultOf("resend-key")}
        testReply={resultOf("test-email")}
      />
      <IntegrationsCard />
    </div>
  );
}

/** Without any key the switches are on by default, since a seller who enters the first key means to use it. */
function switchedOn(cards: AccountCard[], gateways: Gateways): Record<string, boolean> {
  const charging = cards.filter(({ charges }) => charges);
  const isNew = charging.every(({ keys }) => keys.every(({ field }) => pick(gateways, field) === ""));
  return isNew ? Object.fromEntries(charging.map(({ toggle }) => [toggle.field, true])) : {};
}

/**
 * Confirms the removal of a key that the shop sells with: its buttons send the answer with the rest of the form. An empty
 * field alone is not enough.
 */
function RemoveKey({ name, of, answers }: RemovedKey) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} tabIndex={-1} role="alert" className="outline-none">
      {answers.map(({ answer, name: other }) => (
        <input key={other} type="hidden" name={answer} value={other} />
      ))}
      <Alert tone="warning" live={false}>
        <p className="font-semibold">Remover a API Key {of}?</p>
        <p className="mt-1">
          Sem ela nenhum PIX novo é gerado por esta conta, e sem outra o seu checkout para de vender. Nada foi
          salvo ainda.
        </p>
        <div className="mt-3 flex flex-wrap gap-2">
          <button type="submit" name="remove_key" value={name} className="btn btn-sm btn-error min-h-11">
            Remover a chave e salvar
          </button>
          <button type="submit" name="keep_key" value={name} className="btn btn-sm min-h-11">
            Manter a chave e salvar
          </button>
        </div>
      </Alert>
    </div>
  );
}

function GatewaysForm(props: Props & { result: FormReply | null; onSaved: () => void }) {
  const { gateways, cards, version, onSaved, result: reply } = props;
  const [form, fields] = useForm<GatewayFields>({
    id: "gateways",
    lastResult: reply,
    defaultValue: { ...gateways, ...switchedOn(cards, gateways) },
  });
  return (
    <RestoredForm
      {...getFormProps(form)}
      {...{ version, onSaved, reply }}
      intent="gateways"
      reload={paths.settings("gateways")}
      className="flex flex-col gap-6"
    >
      <FormErrors errors={form.errors} />
      {props.reply?.removes && <RemoveKey {...props.reply.removes} />}
      <FirstProviderCard {...{ cards, gateways: props.gateways, fields: fields as FieldsOf }} />
      {cards.map((card) => (
        <GatewayCard key={card.name} {...{ card, fields: fields as FieldsOf, gateways: props.gateways }} />
      ))}
      <TrackingCard fields={fields as FieldsOf} gateways={props.gateways} state={props.tracking} />
      <SubmitButton intent="gateways" className="btn-primary self-start lg:hidden">
        Salvar configurações
      </SubmitButton>
    </RestoredForm>
  );
}
