import type { SubmissionResult } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { type ClientActionFunctionArgs, Link, useActionData, useLoaderData } from "@remix-run/react";
import { ArrowLeft } from "lucide-react";
import { paths } from "#app/kit/paths.ts";
import { pick } from "#app/kit/pick.ts";
import { runEmailAction } from "#app/routes/seller/settings/email/actions.server.ts";
import { DomainTab } from "#app/routes/seller/settings/email/domain.tsx";
import { SpamTab } from "#app/routes/seller/settings/email/spam.tsx";
import {
  readDomainTab,
  readSpamTab,
  readTemplateTab,
} from "#app/routes/seller/settings/email/tabs.server.ts";
import { TemplateTab } from "#app/routes/seller/settings/email/template.tsx";
import { orUnreachable, unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { PageHeader } from "#app/ui/seller/frame/page-header.tsx";
import { LinkTabs } from "#app/ui/seller/link-tabs.tsx";
import { Notice } from "#app/ui/seller/notice.tsx";
import { SELLERS_BODY } from "#app/web/door/read-bytes.server.ts";
import { postedForm } from "#app/web/forms.server.ts";
import { requireSeller } from "#app/web/session/guards.server.ts";
import { resumedForm } from "#app/web/session/recent-sign-in.server.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  const tab = new URL(request.url).searchParams.get("tab");
  if (tab === "domain") return { tab, domain: await readDomainTab(seller.id) };
  if (tab === "anti-spam") return { tab, spam: await readSpamTab(seller) };
  return { tab: "templates" as const, template: await readTemplateTab(seller) };
}

export async function action({ request }: ActionFunctionArgs) {
  const seller = await requireSeller(request);
  const form = await resumedForm(request, seller, await postedForm(request, SELLERS_BODY));
  return runEmailAction({ seller, form, request });
}

/** What a form says above its fields where the network fails. */
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

/** Where the network fails what was typed stays, and its form says so; for buttons without one the page does. */
export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const intent = String((await request.clone().formData()).get("intent"));
  const message = pick(OFFLINE, intent);
  return orUnreachable(serverAction<typeof action>(), {
    intent,
    result: message ? { status: "error" as const, error: { "": [message] } } : null,
    failed: message ? null : "Erro interno. Tente novamente.",
  });
}

export { unlessUnreachable as shouldRevalidate };

export default function EmailSettings() {
  const shown = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action | typeof clientAction>();
  const answered = reply && !("unreachable" in reply) ? reply : null;
  const unreached = reply && "unreachable" in reply ? reply : null;
  const repliedTo = unreached?.intent ?? answered?.result?.initialValue?.intent;
  /** The last reply, for the form it belongs to. */
  const resultOf = (intent: string): SubmissionResult | null =>
    repliedTo === intent ? (reply?.result ?? null) : null;
  return (
    <>
      <Link
        to={paths.settings()}
        className="mb-2 inline-flex min-h-11 items-center gap-2 text-base-content/75 text-sm hover:text-base-content"
      >
        <ArrowLeft className="size-4" aria-hidden="true" />
        Configurações
      </Link>
      <PageHeader title="E-mail" text="O que os seus compradores recebem, e de que endereço." />
      <LinkTabs label="E-mail" current={shown.tab} tabs={TABS} />
      {unreached?.failed && <Notice tone="error" text={unreached.failed} className="mb-6" />}
      {shown.template && (
        <TemplateTab
          key={JSON.stringify(shown.template.template)}
          {...shown.template}
          preview={answered?.preview ?? shown.template.preview}
          tested={answered?.test ?? null}
          resultOf={resultOf}
        />
      )}
      {shown.domain && <DomainTab {...shown.domain} resultOf={resultOf} />}
      {shown.spam && <SpamTab {...shown.spam} />}
    </>
  );
}

const TABS = [
  { id: "templates", label: "Templates", href: paths.emailSettings() },
  { id: "domain", label: "Domínio", href: paths.emailSettings("domain") },
  { id: "anti-spam", label: "Anti-Spam", href: paths.emailSettings("anti-spam") },
];

export const meta: MetaFunction = () => [{ title: "E-mail · Checkintelli" }];
