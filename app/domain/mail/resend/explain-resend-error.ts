import { withServiceMessage } from "#app/kit/refusal.ts";

/** The failure of a webhook that is registered, but was disabled in Resend's panel. */
export const DISABLED_HOOK = "webhook disabled";

/** Explains Resend's errors to the seller, in Portuguese. The names are its documentation's. */
export function explainResendError(message: string): string {
  const ownAddress = /own email address \(([^()]+)\)/.exec(message)?.[1];
  if (/only send testing emails/.test(message))
    return `Contas gratuitas do Resend sem domínio só enviam para o e-mail verificado do dono${ownAddress ? ` (${ownAddress})` : ""}. Para enviar a qualquer pessoa, verifique um domínio.`;
  const domain = /The (\S+) domain is not verified/.exec(message)?.[1];
  if (domain)
    return `O domínio ${domain} ainda não foi verificado no Resend. Verifique o domínio e tente de novo.`;
  const rule = RULES.find(([pattern]) => pattern.test(message));
  return rule ? rule[1] : withServiceMessage("O Resend não aceitou o pedido.", message);
}

const RULES: [RegExp, string][] = [
  [
    /^webhook disabled$/,
    "O webhook está desativado no painel do Resend: reative-o lá, em Webhooks. A conexão é conferida uma vez por dia.",
  ],
  [
    /restricted_api_key/,
    "A sua chave do Resend só pode enviar e-mails. Crie no Resend uma chave com acesso total (Full access) ou mantenha os registros à mão.",
  ],
  [
    /invalid_api_key|missing_api_key|API key is invalid|não tem chave/,
    "O Resend não reconheceu a chave API. Confira se ela foi copiada inteira e se não foi apagada no painel.",
  ],
  [/suspended_api_key/, "A sua conta do Resend está suspensa. Fale com o suporte do Resend."],
  [
    /registered already/,
    "Este domínio já está registrado em outra conta do Resend. Remova-o de lá ou use outro domínio.",
  ],
  [
    /daily_quota_exceeded/,
    "O limite diário da sua conta do Resend foi atingido. O Resend volta a enviar depois de 24 horas.",
  ],
  [/monthly_quota_exceeded|email_above_quota/, "O limite mensal da sua conta do Resend foi atingido."],
  [/rate_limit_exceeded/, "Muitos pedidos ao Resend ao mesmo tempo. Tente de novo em alguns segundos."],
  [/invalid_from_address/, "O e-mail do remetente não é válido."],
  [/nenhum remetente/, "O envio de e-mails da plataforma ainda não está configurado."],
  [
    /sem resposta|^5\d\d |application_error|internal_server_error|service_unavailable/,
    "O Resend não respondeu. Tente de novo em alguns instantes.",
  ],
];
