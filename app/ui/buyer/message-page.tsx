import { CircleAlert, CircleCheck, Hourglass, PackageX } from "lucide-react";
import type { ReactNode } from "react";

const ICONS = { missing: PackageX, problem: CircleAlert, done: CircleCheck, waiting: Hourglass };

/** A page with only a message: not found, refused, failed. */
export function MessagePage(props: {
  icon: keyof typeof ICONS;
  title: string;
  text: string;
  children?: ReactNode;
}) {
  const Icon = ICONS[props.icon];
  return (
    <main className="page narrow alone">
      <div className="card centered said">
        <Icon aria-hidden size={40} strokeWidth={1.5} className="muted" />
        <h1>{props.title}</h1>
        <p className="muted">{props.text}</p>
        {props.children}
      </div>
    </main>
  );
}
