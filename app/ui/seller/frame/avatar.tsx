import { Picture } from "#app/ui/picture.tsx";

/** The signed-in seller as a small round picture: the identity provider's, or initials from name and e-mail. */
export function Avatar({ seller }: { seller: { name: string; email: string; pictureUrl: string | null } }) {
  return (
    <span className="relative inline-block size-[36px] shrink-0 overflow-hidden rounded-full">
      <svg viewBox="0 0 36 36" className="size-full" aria-hidden="true">
        <rect width="36" height="36" fill={`oklch(45% 0.11 ${hue(seller.email)})`} />
        <text
          x="18"
          y="18"
          textAnchor="middle"
          dominantBaseline="central"
          fontSize="14"
          fontWeight="600"
          fill="#fff"
        >
          {initials(seller)}
        </text>
      </svg>
      <Picture
        url={seller.pictureUrl}
        width={36}
        height={36}
        className="absolute inset-0 size-full object-cover"
        fallback={null}
      />
    </span>
  );
}

function initials({ name, email }: { name: string; email: string }): string {
  const nameParts = (name.trim() || email).split(/\s+/);
  const letters =
    nameParts.length > 1 ? [nameParts[0]!, nameParts.at(-1)!].map((w) => w[0]) : [nameParts[0]![0]];
  return letters.join("").toUpperCase();
}

/** The same e-mail always gets the same colour: a hue from 0 to 359. */
function hue(email: string): number {
  let sum = 7;
  for (const letter of email) sum = (sum * 31 + letter.codePointAt(0)!) % 360_000;
  return sum % 360;
}
