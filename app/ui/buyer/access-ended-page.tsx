import { MessagePage } from "#app/ui/buyer/message-page.tsx";

/** Why a link to a purchase does not open, with one link onward. */
export function AccessEndedPage(props: { title: string; text: string; label: string; href: string }) {
  return (
    <MessagePage icon="problem" title={props.title} text={props.text}>
      <a className="btn btn-main wide" href={props.href}>
        {props.label}
      </a>
    </MessagePage>
  );
}
