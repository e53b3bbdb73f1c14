/** An e-mail address: where the line is too short for it, it breaks before its `@` and not in the midst of a word. */
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
