import { pick } from "#app/kit/pick.ts";
import {
  postApiKey,
  postCancelEmailChange,
  postEndSession,
  postNotifications,
  postPassword,
  postProfile,
  postRevokeKey,
} from "#app/routes/seller/settings/actions.server.ts";
import {
  postGateways,
  postResendKey,
  postTestMail,
  postWebhookTest,
} from "#app/routes/seller/settings/gateways/actions.server.ts";
import { postDisputes, postOverpayments } from "#app/routes/seller/settings/gateways/choices.server.ts";

/** The action of each button of the settings; a colon in an intent is followed by its subject. */
export const SETTINGS_ACTIONS = {
  profile: postProfile,
  "cancel-email-change": postCancelEmailChange,
  notifications: postNotifications,
  "create-key": postApiKey,
  "revoke-key": postRevokeKey,
  "end-session": postEndSession,
  password: postPassword,
  gateways: postGateways,
  disputes: postDisputes,
  overpayments: postOverpayments,
  "test-webhook": postWebhookTest,
  "resend-key": postResendKey,
  "test-email": postTestMail,
};

type Actions = typeof SETTINGS_ACTIONS;

/** Runs the action of a settings button. @throws Response 400 if there is no such button */
export async function runSettingsAction(posted: Parameters<Actions[keyof Actions]>[0]) {
  const action = pick(SETTINGS_ACTIONS, String(posted.form.get("intent")).split(":")[0]!);
  if (!action) throw new Response("Ação desconhecida", { status: 400 });
  return action(posted);
}
