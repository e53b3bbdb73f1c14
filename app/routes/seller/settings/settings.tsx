import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { listApiKeys } from "#app/domain/identity/access/api-keys.server.ts";
import { listSessions } from "#app/domain/identity/access/list-sessions.server.ts";
import { findAccount } from "#app/domain/identity/find-account.server.ts";
import { notificationsVersion } from "#app/domain/identity/save-notifications.server.ts";
import { profileVersion } from "#app/domain/identity/save-profile.server.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { describeDevice } from "#app/kit/device.ts";
import { formatPhone } from "#app/kit/phone.ts";
import { pick } from "#app/kit/pick.ts";
import { GatewaysTab } from "#app/routes/seller/settings/gateways/gateways.tsx";
import { loadGateways } from "#app/routes/seller/settings/gateways/loader.server.ts";
import { runSettingsAction } from "#app/routes/seller/settings/intents.server.ts";
import { NotificationsTab } from "#app/routes/seller/settings/notifications.tsx";
import { ProfileTab } from "#app/routes/seller/settings/profile.tsx";
import { SecurityTab } from "#app/routes/seller/settings/security/security.tsx";
import { withIntent } from "#app/server/forms/conflict.server.ts";
import { readPostedForm } from "#app/server/forms/forms.server.ts";
import { withTypedSecrets } from "#app/server/forms/typed-secrets.server.ts";
import { requireSeller } from "#app/server/session/guards.server.ts";
import { readResumedForm } from "#app/server/session/recent-sign-in.server.ts";
import { nextStep } from "#app/ui/seller/first-steps/next-step.server.ts";
import { NextStepStrip } from "#app/ui/seller/first-steps/next-step.tsx";
import type { FormReply } from "#app/ui/seller/form/restored-form.tsx";
import { orUnreachable, unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { Screen } from "#app/ui/seller/frame/screen.tsx";
import { Outcome } from "#app/ui/seller/outcome.tsx";
import { SETTINGS_TABS, SettingsTabs } from "#app/ui/seller/settings-tabs.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  const tab = new URL(request.url).searchParams.get("tab") ?? "perfil";
  const [account, keys, sessions, gateways, next] = await Promise.all([
    findAccount(seller.id),
    listApiKeys(seller.id),
    listSessions(seller.id),
    tab === "gateways" ? loadGateways(seller.id) : null,
    tab === "gateways" ? nextStep(seller, "gateway") : null,
  ]);
  return {
    tab,
    gateways,
    next,
    account: { ...account, phone: account.phone && formatPhone(account.phone) },
    profileVersion: profileVersion(account),
    notificationsVersion: notificationsVersion(account),
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
  const form = await readResumedForm(request, seller, await readPostedForm(request));
  return runSettingsAction({ seller, form: withTypedSecrets(seller.id, withIntent(form)), request });
}

/** Errors when the network fails: shown by a form that could not be saved, for a test at the top. */
const TEST_FAILURES: Record<string, string> = {
  "test-webhook": "Erro de conexão ao testar webhook",
  "test-email": "Erro de conexão ao testar email",
};

export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const form = await request.clone().formData();
  const intent = String(form.get("intent") ?? form.get("saves"));
  const answer = serverAction<typeof action>();
  const message = pick(TEST_FAILURES, intent.split(":")[0]!);
  if (message)
    return orUnreachable(answer, {
      gateways: { intent, testResult: { success: false, message }, result: null },
    });
  const isSettings = ["profile", "notifications", "gateways", "resend-key"].includes(intent);
  const failed = isSettings ? "Erro ao salvar configurações" : "Erro interno. Tente novamente.";
  const result = { status: "error" as const, error: { "": [failed] } };
  return orUnreachable(
    answer,
    intent === "gateways" || intent === "resend-key"
      ? { gateways: { intent, testResult: null, result } }
      : { unsaved: { intent, failed, result } },
  );
}

export const shouldRevalidate = unlessUnreachable;

type Unsaved = { intent: string; failed: string; result: FormReply };

/** Forms that show their own errors. */
/** The tabs that are one form. */
const SAVE = {
  perfil: { form: "profile", intent: "profile", label: "Salvar perfil" },
  gateways: { form: "gateways", intent: "gateways", label: "Salvar configurações" },
  notificacoes: { form: "notifications", intent: "notifications", label: "Salvar notificações" },
};
const SAVING = ["profile", "notifications", "create-key", "password"];

export default function Settings() {
  const loaded = useLoaderData<typeof loader>();
  const { tab, account, keys, sessions, gateways, next } = loaded;
  const reply = useActionData<typeof action>();
  const created = reply && "createdKey" in reply ? reply.createdKey : null;
  const aboutGateways = reply && "gateways" in reply ? reply.gateways : null;
  const unsaved = reply && "unsaved" in reply ? (reply.unsaved as Unsaved) : null;
  const result =
    reply && ("createdKey" in reply || "gateways" in reply || "unsaved" in reply) ? null : (reply ?? null);
  /** The last reply, if it is about this form. */
  const resultOf = (intent: string): FormReply | null => {
    if (unsaved?.intent === intent) return unsaved.result;
    return result?.initialValue?.intent === intent ? (result as FormReply) : null;
  };
  const isOfNoForm = unsaved !== null && !SAVING.includes(unsaved.intent);
  const testResult = aboutGateways?.testResult ?? null;
  const current = tabOf(tab).id;
  return (
    <Screen width="form" title="Configurações" save={pick(SAVE, current)}>
      {isOfNoForm && <Outcome about={unsaved} tone="error" text={unsaved.failed} />}
      {reply && testResult && (
        <Outcome about={reply} tone={testResult.success ? "success" : "error"} text={testResult.message} />
      )}
      <SettingsTabs current={current} />
      <NextStepStrip next={next} />
      {current === "perfil" && (
        <ProfileTab account={account} version={loaded.profileVersion} lastResult={resultOf("profile")} />
      )}
      {current === "gateways" && gateways && (
        <GatewaysTab {...gateways} email={account.email} reply={aboutGateways} />
      )}
      {current === "notificacoes" && (
        <NotificationsTab
          account={account}
          version={loaded.notificationsVersion}
          lastResult={resultOf("notifications")}
        />
      )}
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
    </Screen>
  );
}

function tabOf(tab: string | null | undefined) {
  return SETTINGS_TABS.find(({ id }) => id === tab) ?? SETTINGS_TABS[0]!;
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${tabOf(data?.tab).label} · Configurações · Checkintelli` },
];
