import type { SubmissionResult } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { listApiKeys } from "#app/domain/identity/access/api-keys.server.ts";
import { listSessions } from "#app/domain/identity/access/list-sessions.server.ts";
import { findAccount } from "#app/domain/identity/find-account.server.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { describeDevice } from "#app/kit/device.ts";
import { paths } from "#app/kit/paths.ts";
import { formatPhone } from "#app/kit/phone.ts";
import { pick } from "#app/kit/pick.ts";
import { GatewaysTab } from "#app/routes/seller/settings/gateways/gateways.tsx";
import { loadGateways } from "#app/routes/seller/settings/gateways/loader.server.ts";
import { runSettingsAction } from "#app/routes/seller/settings/intents.server.ts";
import { NotificationsTab } from "#app/routes/seller/settings/notifications.tsx";
import { ProfileTab } from "#app/routes/seller/settings/profile.tsx";
import { SecurityTab } from "#app/routes/seller/settings/security/security.tsx";
import { orUnreachable, unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { PageHeader } from "#app/ui/seller/frame/page-header.tsx";
import { LinkTabs } from "#app/ui/seller/link-tabs.tsx";
import { Notice } from "#app/ui/seller/notice.tsx";
import { postedForm } from "#app/web/forms.server.ts";
import { requireSeller } from "#app/web/session/guards.server.ts";
import { resumedForm } from "#app/web/session/recent-sign-in.server.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  const tab = new URL(request.url).searchParams.get("tab") ?? "perfil";
  const [account, keys, sessions, gateways] = await Promise.all([
    findAccount(seller.id),
    listApiKeys(seller.id),
    listSessions(seller.id),
    tab === "gateways" ? loadGateways(seller.id) : null,
  ]);
  return {
    tab,
    gateways,
    account: { ...account, phone: account.phone && formatPhone(account.phone) },
    keys: keys.map((key) => ({
      id: key.id,
      name: key.name,
      preview: key.preview,
      scopes: key.scopes,
      createdAt: formatDateTime(key.createdAt),
      lastUsedAt: key.lastUsedAt && formatDateTime(key.lastUsedAt),
    })),
    sessions: sessions.map((session) => ({
      id: session.id,
      current: session.id === seller.sessionId,
      device: describeDevice(session.userAgent),
      ip: session.ip,
      lastUsedAt: formatDateTime(session.lastUsedAt),
    })),
  };
}

export async function action({ request }: ActionFunctionArgs) {
  const seller = await requireSeller(request);
  const form = await resumedForm(request, seller, await postedForm(request));
  return runSettingsAction({ seller, form, request });
}

/** What is said where the network fails: of the gateways tab on the part it is about, of the others above the form. */
const GATEWAYS_OFFLINE: Record<string, string> = {
  gateways: "Erro ao salvar configurações",
  "resend-key": "Erro ao salvar configurações",
  "test-webhook": "Erro de conexão ao testar webhook",
  "test-email": "Erro de conexão ao testar email",
};

export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const intent = String((await request.clone().formData()).get("intent"));
  const message = pick(GATEWAYS_OFFLINE, intent.split(":")[0]!);
  const answer = serverAction<typeof action>();
  if (message)
    return orUnreachable(answer, { gateways: { intent, tried: { success: false, message }, result: null } });
  const saves = intent === "profile" || intent === "notifications";
  return orUnreachable(answer, {
    unsaved: saves ? "Erro ao salvar configurações" : "Erro interno. Tente novamente.",
  });
}

export const shouldRevalidate = unlessUnreachable;

export default function Settings() {
  const { tab, account, keys, sessions, gateways } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const created = reply && "createdKey" in reply ? reply.createdKey : null;
  const aboutGateways = reply && "gateways" in reply ? reply.gateways : null;
  const unsaved = reply && "unsaved" in reply ? String(reply.unsaved) : null;
  const result =
    reply && ("createdKey" in reply || "gateways" in reply || "unsaved" in reply) ? null : (reply ?? null);
  /** The last reply, for the form it belongs to. */
  const resultOf = (intent: string): SubmissionResult | null =>
    result?.initialValue?.intent === intent ? result : null;
  const current = TABS.find(({ id }) => id === tab)?.id ?? "perfil";
  return (
    <div className="max-w-3xl">
      <PageHeader title="Configurações" />
      <LinkTabs
        label="Configurações"
        current={current}
        tabs={TABS.map(({ id, label }) => ({ id, label, href: paths.settings(id) }))}
      />
      {unsaved && <Notice tone="error" text={unsaved} className="mb-6" />}
      {current === "perfil" && (
        <ProfileTab key={JSON.stringify(account)} account={account} lastResult={resultOf("profile")} />
      )}
      {current === "gateways" && gateways && (
        <GatewaysTab
          key={JSON.stringify(gateways)}
          {...gateways}
          email={account.email}
          reply={aboutGateways}
        />
      )}
      {current === "notificacoes" && <NotificationsTab account={account} />}
      {current === "seguranca" && (
        <SecurityTab
          hasPassword={account.hasPassword}
          keys={keys}
          createdKey={created}
          sessions={sessions}
          keyResult={resultOf("create-key")}
          passwordResult={resultOf("password")}
        />
      )}
    </div>
  );
}

const TABS = [
  { id: "perfil", label: "Perfil" },
  { id: "gateways", label: "Gateways" },
  { id: "notificacoes", label: "Notificações" },
  { id: "seguranca", label: "Segurança" },
];

export const meta: MetaFunction = () => [{ title: "Configurações · Checkintelli" }];
