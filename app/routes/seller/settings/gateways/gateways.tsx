import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { Form } from "@remix-run/react";
import {
  GatewayCard,
  TrackingCard,
  WebhooksCard,
  webhookTest,
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
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";

/** What the last action said: to which of the tab's buttons, and what. */
export type GatewaysReply = {
  intent: string;
  tried: Tried | null;
  result: SubmissionResult | null;
} | null;

export function GatewaysTab(props: {
  gateways: Gateways;
  cards: AccountCard[];
  email: string;
  reply: GatewaysReply;
}) {
  const { gateways, cards, reply } = props;
  const triedBy = (intent: string) => (reply?.intent === intent ? reply.tried : null);
  const [form, fields] = useForm<GatewayFields>({
    id: "gateways",
    lastResult: reply?.result ?? null,
    defaultValue: gateways,
  });
  return (
    <div className="flex flex-col gap-6">
      <Form method="post" {...getFormProps(form)} className="flex flex-col gap-6">
        <FormErrors errors={form.errors ?? failure(triedBy("gateways"))} />
        {/* Enter saves: the first submit button of a form is the one that Enter presses. */}
        <button
          type="submit"
          name="intent"
          value="gateways"
          className="hidden"
          tabIndex={-1}
          aria-hidden="true"
        />
        {cards.map((card) => (
          <GatewayCard
            key={card.name}
            {...{ card, fields: fields as FieldsOf, gateways }}
            tried={triedBy(webhookTest(card))}
          />
        ))}
        <TrackingCard fields={fields as FieldsOf} hasToken={gateways.utmfy_api_token !== ""} />
        <SubmitButton intent="gateways" className="btn-primary self-start">
          Salvar configurações
        </SubmitButton>
      </Form>
      <WebhooksCard />
      <MailCard
        apiKey={gateways.resend_api_key}
        email={props.email}
        savedKey={triedBy("resend-key")}
        sentMail={triedBy("test-email")}
      />
    </div>
  );
}

function failure(tried: Tried | null): string[] | undefined {
  return tried && !tried.success ? [tried.message] : undefined;
}
