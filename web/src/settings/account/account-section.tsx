import { useMember, useSession } from "../../api/session.ts";
import { Panel } from "../../ui/floating/panel.tsx";
import { formatDateTime } from "../../ui/time/format-time.ts";
import { SectionLayout } from "../parts/section-layout.tsx";
import { PasswordForm } from "./password-form.tsx";
import { Sessions } from "./sessions.tsx";

/** The member's own account: password and sessions. */
export function AccountSection() {
  const { email, role, createdAt } = useMember();
  const business = useSession().data?.business.name ?? "";
  return (
    <SectionLayout
      title="Account"
      lead={`You are logged in as ${email}, ${role}${business === "" ? "" : ` of ${business}`} since ${formatDateTime(createdAt)}.`}
    >
      <Panel title="Password" description="Changing the password logs out all other browsers.">
        <PasswordForm email={email} />
      </Panel>
      <Sessions />
    </SectionLayout>
  );
}
