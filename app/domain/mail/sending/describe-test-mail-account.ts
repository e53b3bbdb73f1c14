/** Which account a test mail was sent by. */
export function describeTestMailAccount(via: "seller" | "platform"): string {
  return via === "seller"
    ? "Pela sua conta do Resend."
    : "Pelo remetente da plataforma, não pela sua conta do Resend.";
}
