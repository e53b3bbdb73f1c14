import { getFormProps, useForm } from "@conform-to/react";
import { paths } from "#app/kit/paths.ts";
import {
  GatewayCard,
  PixelsCard,
  TrackingCard,
  WebhooksCard,
} from "#app/routes/seller/settings/gateways/cards.tsx";
import type {
  AccountCard,
  FieldsOf,
  GatewayFields,
  Gateways,
  Tried,
} from "#app/routes/seller/settings/gateways/fields.ts";
import { MailCard } from "#app/routes/seller/settings/gateways/mail.tsx";
import { FormErrors } from "#app/ui/seller/form/errors.tsx";
import { KeptForm, type KeptReply, useKept } from "#app/ui/seller/form/kept-form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";

/** What the last action said: to which of the tab's buttons, and what. */
export type GatewaysReply = {
  intent: string;
  tried: Tried | null;
  result: KeptReply | null;
} | null;

type Props = {
  gateways: Gateways;
  version: string;
  keyVersion: string;
  cards: AccountCard[];
  email: string;
  reply: GatewaysReply;
};

export function GatewaysTab(props: Props) {
  const { gateways, reply } = props;
  const { shown, key, onSaved } = useKept("gateways", props);
  const resultOf = (intent: string) => (reply?.intent === intent ? reply.result : null);
  return (
    <div className="flex flex-col gap-6">
      <GatewaysForm
        key={key}
        {...props}
        gateways={shown.gateways}
        version={shown.version}
        onSaved={onSaved}
        result={resultOf("gateways")}
      />
      <PixelsCard />
      <WebhooksCard />
      <MailCard
        apiKey={gateways.resend_api_key}
        version={props.keyVersion}
        email={props.email}
        reply={resultOf("resend-key")}
      />
    </div>
  );
}

function GatewaysForm(props: Props & { result: KeptReply | null; onSaved: () => void }) {
  const { gateways, cards, version, onSaved, result: reply } = props;
  const [form, fields] = useForm<GatewayFields>({
    id: "gateways",
    lastResult: reply,
    defaultValue: gateways,
  });
  return (
    <KeptForm
      {...getFormProps(form)}
      {...{ version, onSaved, reply }}
      intent="gateways"
      reload={paths.settings("gateways")}
      className="flex flex-col gap-6"
    >
      <FormErrors errors={form.errors} />
      {cards.map((card) => (
        <GatewayCard key={card.name} {...{ card, fields: fields as FieldsOf, gateways: props.gateways }} />
      ))}
      <TrackingCard fields={fields as FieldsOf} hasToken={gateways.utmfy_api_token !== ""} />
      <SubmitButton intent="gateways" className="btn-primary self-start">
        Salvar configurações
      </SubmitButton>
    </KeptForm>
  );
}
