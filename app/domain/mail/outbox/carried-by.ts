/** Through whose account a test mail was tried. */
export function carriedBy(via: "seller" | "platform"): string {
  return via === "seller"
    ? "Pela sua conta do Resend."
    : "Pelo remetente da plataforma, não pela sua conta do Resend.";
}
