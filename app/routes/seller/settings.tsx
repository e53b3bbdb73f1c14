import type { SubmissionResult } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { listApiKeys } from "#app/domain/identity/api-keys.server.ts";
import { findAccount } from "#app/domain/identity/find-account.server.ts";
import { listSessions } from "#app/domain/identity/list-sessions.server.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { describeDevice } from "#app/kit/device.ts";
import { paths } from "#app/kit/paths.ts";
import { formatPhone } from "#app/kit/phone.ts";
import {
  postApiKey,
  postEndSession,
  postNotifications,
  postPassword,
  postProfile,
  postRevokeKey,
} from "#app/routes/seller/settings-actions.server.ts";
import { NotificationsTab } from "#app/routes/seller/settings-notifications.tsx";
import { ProfileTab } from "#app/routes/seller/settings-profile.tsx";
import { SecurityTab } from "#app/routes/seller/settings-security.tsx";
import { LinkTabs } from "#app/ui/seller/link-tabs.tsx";
import { PageHeader } from "#app/ui/seller/page-header.tsx";
import { requireSeller } from "#app/web/guards.server.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  const [account, keys, sessions] = await Promise.all([
    findAccount(seller.id),
    listApiKeys(seller.id),
    listSessions(seller.id),
  ]);
  return {
    tab: new URL(request.url).searchParams.get("tab") ?? "perfil",
    account: { ...account, phone: account.phone && formatPhone(account.phone) },
    keys: keys.map((key) => ({
      id: key.id,
      name: key.name,
      preview: key.preview,
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
  const form = await request.formData();
  const posted = { seller, form, request };
  switch (form.get("intent")) {
    case "profile":
      return postProfile(posted);
    case "notifications":
      return postNotifications(posted);
    case "create-key":
      return postApiKey(posted);
    case "revoke-key":
      return postRevokeKey(posted);
    case "end-session":
      return postEndSession(posted);
    case "password":
      return postPassword(posted);
    default:
      throw new Response("Ação desconhecida", { status: 400 });
  }
}

export default function Settings() {
  const { tab, account, keys, sessions } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const created = reply && "createdKey" in reply ? reply.createdKey : null;
  const result = reply && "createdKey" in reply ? null : (reply ?? null);
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
      {current === "perfil" && (
        <ProfileTab key={JSON.stringify(account)} account={account} lastResult={resultOf("profile")} />
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
  { id: "notificacoes", label: "Notificações" },
  { id: "seguranca", label: "Segurança" },
];

export const meta: MetaFunction = () => [{ title: "Configurações · Checkintelli" }];
