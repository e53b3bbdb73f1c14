import type { MethodSpec } from "#app/server/openapi/method-spec.ts";

/** Each `code` with which a method answers 403, for the description; null for one that asks for no recent sign-in. */
export function describeForbidden({ needs, recentSignIn, ownerFor }: MethodSpec): string | null {
  const isOwners = needs === "session";
  if (!isOwners && !recentSignIn && !ownerFor) return null;
  const what = ownerFor ?? "fazer isto";
  const codes = [
    ...(isOwners ? [] : [`scope_required: falta à chave a permissão ${needs}`]),
    ...(isOwners || ownerFor ? [`session_required: nenhuma chave de API pode ${what}`] : []),
    `recent_sign_in_required: para ${what} numa sessão, entre na conta de novo`,
    "account_closed: a conta está encerrada",
  ];
  return `Sem acesso, com um destes valores de code. ${codes.join("; ")}`;
}
