import { data } from "@remix-run/node";
import { createApiKey, revokeApiKey } from "#app/domain/identity/access/api-keys.server.ts";
import { revokeSession } from "#app/domain/identity/access/end-session.server.ts";
import type { SignedIn } from "#app/domain/identity/access/find-session.server.ts";
import { apiKeyForm, notificationsForm, profileForm } from "#app/domain/identity/account-form.server.ts";
import { changePassword } from "#app/domain/identity/change-password.server.ts";
import { cancelEmailChange } from "#app/domain/identity/email/cancel-email-change.server.ts";
import { findAccount } from "#app/domain/identity/find-account.server.ts";
import { changePasswordForm } from "#app/domain/identity/new-password-form.server.ts";
import { notificationsVersion, saveNotifications } from "#app/domain/identity/save-notifications.server.ts";
import { profileVersion, saveProfile } from "#app/domain/identity/save-profile.server.ts";
import { paths } from "#app/kit/paths.ts";
import { formatPhone } from "#app/kit/phone.ts";
import { conflictResponse, formVersion, isStale } from "#app/server/forms/conflict.server.ts";
import { invalidForm, parseForm, refusedForm } from "#app/server/forms/forms.server.ts";
import { takeBackRefused } from "#app/server/limits/take-back-refused.server.ts";
import { type CountedAttempt, throttle } from "#app/server/limits/throttle.server.ts";
import { requestOrigin } from "#app/server/request/request-origin.server.ts";
import { orRefusedPage } from "#app/server/response/failure-response.server.ts";
import { redirectWithMessage } from "#app/server/session/flash.server.ts";
import { requireRecentSignIn } from "#app/server/session/recent-sign-in.server.ts";
import { signInCookie } from "#app/server/session/session-cookie.server.ts";

type Posted = { seller: SignedIn; form: FormData; request: Request };

const SAVED = "Configurações salvas com sucesso!";

export async function postProfile({ seller, form, request }: Posted) {
  const submission = parseForm(form, profileForm);
  if (submission.status !== "success") return invalidForm(submission);
  let counted: CountedAttempt | undefined;
  try {
    if (submission.value.email !== seller.email) {
      await requireRecentSignIn({ seller, form, request }, "email");
      counted = await throttle("confirm", request, submission.value.email);
    }
    const pending = await saveProfile(
      seller.id,
      submission.value,
      formVersion(form),
      requestOrigin(request, seller),
    );
    return await redirectWithMessage(
      paths.settings("perfil"),
      pending
        ? `${SAVED} Enviamos um link para ${pending}: o novo e-mail vale quando for confirmado.`
        : SAVED,
    );
  } catch (error) {
    if (isStale(error)) {
      // No mail was sent.
      await counted?.takeBack();
      const account = await findAccount(seller.id);
      const saved = { ...account, phone: account.phone && formatPhone(account.phone) };
      return conflictResponse(submission, form, { saved, version: profileVersion(account) }, PROFILE_FIELDS);
    }
    return refusedForm(submission, error, request);
  }
}

const PROFILE_FIELDS = { name: "Nome", email: "E-mail", company: "Empresa", phone: "Telefone" };

export const EMAIL_CHANGE_CANCELLED = "A troca de e-mail foi cancelada: o link enviado não vale mais.";

export async function postCancelEmailChange({ seller }: Posted) {
  await cancelEmailChange(seller.id);
  return redirectWithMessage(paths.settings("perfil"), EMAIL_CHANGE_CANCELLED);
}

export async function postNotifications({ seller, form }: Posted) {
  const submission = parseForm(form, notificationsForm);
  if (submission.status !== "success") return invalidForm(submission);
  try {
    await saveNotifications(seller.id, submission.value, formVersion(form));
  } catch (error) {
    if (!isStale(error)) throw error;
    const account = await findAccount(seller.id);
    const saved = {
      email_new_sale: account.notifyNewSale,
      email_failed_payment: account.notifyFailedPayment,
      email_weekly_report: account.notifyWeeklyReport,
      email_monthly_report: account.notifyMonthlyReport,
    };
    return conflictResponse(
      submission,
      form,
      { saved, version: notificationsVersion(account) },
      NOTIFICATIONS,
    );
  }
  return redirectWithMessage(paths.settings("notificacoes"), SAVED);
}

const NOTIFICATIONS = {
  email_new_sale: "Nova venda",
  email_failed_payment: "Pagamento não concluído",
  email_weekly_report: "Relatório semanal",
  email_monthly_report: "Relatório mensal",
};

export async function postApiKey({ seller, form, request }: Posted) {
  const submission = parseForm(form, apiKeyForm);
  if (submission.status !== "success") return invalidForm(submission);
  await requireRecentSignIn({ seller, form, request }, "api-key");
  try {
    const key = await createApiKey(seller.id, submission.value, requestOrigin(request, seller));
    // Shown only in the response to this request, so no redirect.
    return data({ createdKey: { key, name: submission.value.name } });
  } catch (error) {
    return refusedForm(submission, error, request);
  }
}

export async function postRevokeKey({ seller, form, request }: Posted) {
  await orRefusedPage(request, revokeApiKey(seller.id, String(form.get("id"))));
  return redirectWithMessage(paths.settings("seguranca"), "Chave revogada: ela não abre mais nada.");
}

export async function postEndSession({ seller, form, request }: Posted) {
  await orRefusedPage(request, revokeSession(seller.id, String(form.get("id"))));
  return redirectWithMessage(paths.settings("seguranca"), "Sessão encerrada.");
}

export async function postPassword({ seller, form, request }: Posted) {
  const submission = parseForm(form, changePasswordForm);
  if (submission.status !== "success") return invalidForm(submission);
  // The current password in the same form proves the identity; setting an account's first one has no such proof.
  if (!(await findAccount(seller.id)).hasPassword)
    await requireRecentSignIn({ seller, form, request }, "password");
  try {
    const counted = await throttle("sign-in", request, `password-change/${seller.id}`);
    const changing = changePassword(seller, submission.value, requestOrigin(request, seller));
    const token = await takeBackRefused(counted, changing);
    await counted.forgive();
    const answer = await redirectWithMessage(
      paths.settings("seguranca"),
      "Senha alterada. As outras sessões foram encerradas.",
    );
    answer.headers.append("Set-Cookie", await signInCookie(token));
    return answer;
  } catch (error) {
    return refusedForm(submission, error, request);
  }
}
