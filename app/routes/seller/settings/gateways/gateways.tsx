import { getFormProps, useForm } from "@conform-to/react";
import { Link } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { paths } from "#app/kit/paths.ts";
import { pick } from "#app/kit/pick.ts";
import { GatewayCard, IntegrationsCard, TrackingCard } from "#app/routes/seller/settings/gateways/cards.tsx";
import { DisputesCard } from "#app/routes/seller/settings/gateways/disputes.tsx";
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
import { START_OVER } from "#app/ui/seller/form/save-conflict.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
import { Notice } from "#app/ui/seller/notice.tsx";

/** What the last action said: to which of the tab's buttons, and what. */
export type GatewaysReply = {
  intent: string;
  tried: Tried | null;
  result: KeptReply | null;
  /** The account whose key would go, and which is asked about first. */
  removes?: { name: string; title: string } | null;
} | null;

type Props = {
  gateways: Gateways;
  version: string;
  keyVersion: string;
  cards: AccountCard[];
  /** Whether buyers lose access while their payment is disputed. */
  suspendsDisputed: boolean;
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
      <DisputesCard suspends={props.suspendsDisputed} />
      <MailCard
        apiKey={gateways.resend_api_key}
        version={props.keyVersion}
        email={props.email}
        reply={resultOf("resend-key")}
      />
      <IntegrationsCard />
    </div>
  );
}

/** Whoever types the first key means to be paid with it: the switch of an account without one stands on, so that it needs no press. */
function switchedOn(cards: AccountCard[], gateways: Gateways): Record<string, boolean> {
  const [first, ...others] = cards.filter(({ charges }) => charges);
  const isNew = first && others.length === 0 && first.keys.every(({ field }) => pick(gateways, field) === "");
  return isNew ? { [first.toggle.field]: true } : {};
}

/** Asks before the key goes that a shop sells by. Its button says so to the server: an emptied field alone does not. */
function RemoveKey({ name, title }: { name: string; title: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} tabIndex={-1} role="alert" className="outline-none">
      <Notice tone="warning" live={false}>
        <p className="font-semibold">Remover a API Key do {title}?</p>
        <p className="mt-1">
          Sem ela nenhum PIX novo é gerado e o seu checkout para de vender. Nada foi salvo ainda.
        </p>
        <div className="mt-3 flex flex-wrap gap-2">
          <button type="submit" name="remove_key" value={name} className="btn btn-sm btn-error min-h-11">
            Remover a chave e salvar
          </button>
          <Link to={paths.settings("gateways")} state={START_OVER} className="btn btn-sm min-h-11">
            Manter a chave
          </Link>
        </div>
      </Notice>
    </div>
  );
}

function GatewaysForm(props: Props & { result: KeptReply | null; onSaved: () => void }) {
  const { gateways, cards, version, onSaved, result: reply } = props;
  const [form, fields] = useForm<GatewayFields>({
    id: "gateways",
    lastResult: reply,
    defaultValue: { ...gateways, ...switchedOn(cards, gateways) },
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
      {props.reply?.removes && <RemoveKey {...props.reply.removes} />}
      {cards.map((card) => (
        <GatewayCard key={card.name} {...{ card, fields: fields as FieldsOf, gateways: props.gateways }} />
      ))}
      <TrackingCard fields={fields as FieldsOf} hasToken={gateways.utmfy_api_token !== ""} />
      <SubmitButton intent="gateways" className="btn-primary self-start lg:hidden">
        Salvar configurações
      </SubmitButton>
    </KeptForm>
  );
}
