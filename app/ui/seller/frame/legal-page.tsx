import type { ReactNode } from "react";
import { SiteFrame } from "#app/ui/seller/frame/site-frame.tsx";

/** A legal text: one column, numbered sections. */
export function LegalPage(props: {
  title: string;
  updated: string;
  signedIn: boolean;
  intro: ReactNode;
  sections: { title: string; paragraphs: ReactNode[] }[];
}) {
  return (
    <SiteFrame signedIn={props.signedIn}>
      <article className="mx-auto max-w-2xl px-4 py-12 leading-relaxed sm:px-6">
        <h1 className="font-semibold text-3xl tracking-tight">{props.title}</h1>
        <p className="mt-2 text-base-content/70 text-sm">Atualizado em {props.updated}</p>
        <p className="mt-6">{props.intro}</p>
        {props.sections.map((section, i) => (
          <section key={section.title}>
            <h2 className="mt-8 mb-2 font-semibold text-lg">
              {i + 1}. {section.title}
            </h2>
            {section.paragraphs.map((paragraph, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a fixed text does not change its order.
              <p key={at} className="mt-2 text-base-content/85">
                {paragraph}
              </p>
            ))}
          </section>
        ))}
      </article>
    </SiteFrame>
  );
}
