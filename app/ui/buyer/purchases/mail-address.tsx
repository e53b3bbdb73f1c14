/** An e-mail address that, if too long for its line, breaks before its `@`. */
export function MailAddress({ of }: { of: string }) {
  const at = of.lastIndexOf("@");
  return (
    <>
      {of.slice(0, Math.max(0, at))}
      <wbr />
      {of.slice(Math.max(0, at))}
    </>
  );
}
