import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { paths } from "#app/kit/paths.ts";
import { pick } from "#app/kit/pick.ts";
import { runEmailAction } from "#app/routes/seller/settings/email/actions.server.ts";
import { DomainTab, domainAction } from "#app/routes/seller/settings/email/domain.tsx";
import { SpamTab } from "#app/routes/seller/settings/email/spam.tsx";
import {
  readDomainTab,
  readSpamTab,
  readTemplateTab,
} from "#app/routes/seller/settings/email/tabs.server.ts";
import { TemplateTab } from "#app/routes/seller/settings/email/template.tsx";
import { TestOutcome } from "#app/routes/seller/settings/email/test.tsx";
import { withIntent } from "#app/server/forms/conflict.server.ts";
import { readPostedForm } from "#app/server/forms/forms.server.ts";
import { withTypedSecrets } from "#app/server/forms/typed-secrets.server.ts";
import { MAX_SELLER_BODY } from "#app/server/request/read-bytes.server.ts";
import { requireSeller } from "#app/server/session/guards.server.ts";
import { readResumedForm } from "#app/server/session/recent-sign-in.server.ts";
import type { FormReply } from "#app/ui/seller/form/restored-form.tsx";
import { orUnreachable, unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { Screen } from "#app/ui/seller/frame/screen.tsx";
import { LinkTabs } from "#app/ui/seller/link-tabs.tsx";
import { Outcome } from "#app/ui/seller/outcome.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  const tab = new URL(request.url).searchParams.get("tab");
  if (tab === "domain") return { tab, domain: await readDomainTab(seller.id) };
  if (tab === "anti-spam") return { tab, spam: await readSpamTab(seller) };
  return { tab: "templates" as const, template: await readTemplateTab(seller) };
}

export async function action({ request }: ActionFunctionArgs) {
  const seller = await requireSeller(request);
  const form = await readResumedForm(request, seller, await readPostedForm(request, MAX_SELLER_BODY));
  return runEmailAction({ seller, form: withTypedSecrets(seller.id, withIntent(form)), request });
}

/** Errors shown above a form when the network fails. */
const OFFLINE: Record<string, string> = {
  save: "Erro ao salvar template",
  preview: "Erro na prévia",
  reminders: "Erro ao salvar lembretes",
  test: "Erro de conexão ao testar email",
  "create-domain": "Erro ao salvar domínio",
  "save-domain": "Erro ao salvar domínio",
  "verify-domain": "Erro ao verificar domínio",
  "hook-secret": "Erro ao salvar segredo",
};

/** If the network fails, what was typed stays and its form shows an error; for buttons without a form the page does. */
export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const form = await request.clone().formData();
  const intent = String(form.get("intent") ?? form.get("saves"));
  const message = pick(OFFLINE, intent);
  return orUnreachable(serverAction<typeof action>(), {
    intent,
    result: message ? { status: "error" as const, error: { "": [message] } } : null,
    failed: message ? null : "Erro interno. Tente novamente.",
  });
}

export { unlessUnreachable as shouldRevalidate };

export default function EmailSettings() {
  const loaded = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action | typeof clientAction>();
  const answered = reply && !("unreachable" in reply) ? reply : null;
  const unreached = reply && "unreachable" in reply ? reply : null;
  const repliedTo = unreached?.intent ?? answered?.result?.initialValue?.intent;
  /** The last reply, if it is about this form. */
  const resultOf = (intent: string): FormReply | null =>
    repliedTo === intent ? ((reply?.result as FormReply | undefined) ?? null) : null;
  const tested = answered?.test ?? null;
  const noAccess = answered?.noAccess ?? answered?.result?.initialValue?.without_access === "on";
  return (
    <Screen
      width={loaded.template ? "list" : "form"}
      title="E-mail"
      text="O que os seus compradores recebem, e de que endereço."
      back={{ to: paths.integrations(), label: "Integrações" }}
      save={
        loaded.template
          ? { form: "template", intent: "save", label: noAccess ? "Salvar assim mesmo" : "Salvar" }
          : loaded.domain && domainAction(loaded.domain)
      }
    >
      {unreached?.failed && <Outcome about={unreached} tone="error" text={unreached.failed} />}
      {answered?.done && <Outcome about={answered} tone="success" text={answered.done} />}
      {tested && <TestOutcome tested={tested} />}
      <LinkTabs label="E-mail" current={loaded.tab} tabs={TABS} />
      {loaded.template && (
        <TemplateTab
          {...loaded.template}
          preview={answered?.preview ?? loaded.template.preview}
          noAccess={noAccess}
          resultOf={resultOf}
        />
      )}
      {loaded.domain && <DomainTab {...loaded.domain} resultOf={resultOf} />}
      {loaded.spam && <SpamTab {...loaded.spam} />}
    </Screen>
  );
}

const TABS = [
  { id: "templates", label: "Templates", href: paths.emailSettings() },
  { id: "domain", label: "Domínio", href: paths.emailSettings("domain") },
  { id: "anti-spam", label: "Anti-Spam", href: paths.emailSettings("anti-spam") },
];

export const meta: MetaFunction<typeof loader> = ({ data }) => {
  const tab = TABS.find(({ id }) => id === data?.tab) ?? TABS[0]!;
  return [{ title: `${tab.label} · E-mail · Checkintelli` }];
};
