import { Unbroken } from "#app/ui/buyer/purchases/unbroken.tsx";

/** An e-mail address that, if too long for its line, breaks before its `@`; a phone may follow it. */
export function MailAddress({ of }: { of: string }) {
  const at = of.lastIndexOf("@");
  return (
    <>
      {of.slice(0, Math.max(0, at))}
      <wbr />
      <Unbroken of={of.slice(Math.max(0, at))} />
    </>
  );
}
