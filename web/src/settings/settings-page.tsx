import { Redirect, useParams } from "wouter";
import { useMember } from "../api/session.ts";
import { usePreload } from "../ui/lazy/use-preload.ts";
import { AccountSection } from "./account/account-section.tsx";
import { BackupsSection } from "./backups/backups-section.tsx";
import { BoardsSection } from "./boards/boards-section.tsx";
import { AuditSection } from "./business/audit-section.tsx";
import { DataSection } from "./business/data-section.tsx";
import { ModelSection } from "./business/model-section.tsx";
import { ApiKeysSection } from "./api-keys/api-keys-section.tsx";
import { InboundSection } from "./inbound/inbound-section.tsx";
import { MembersSection } from "./members/members-section.tsx";
import { RecipesSection } from "./recipes/recipes-section.tsx";
import { SECTIONS, type SectionId, hasRole, sectionPath } from "./sections.ts";
import { SettingsNav } from "./settings-nav.tsx";
import { WebhookSection } from "./webhook/webhook-section.tsx";

const PAGES: Readonly<Record<SectionId, () => React.ReactNode>> = {
  boards: BoardsSection,
  keys: ApiKeysSection,
  inbound: InboundSection,
  webhook: WebhookSection,
  recipes: RecipesSection,
  members: MembersSection,
  model: ModelSection,
  data: DataSection,
  backups: BackupsSection,
  audit: AuditSection,
  account: AccountSection,
};

/** The settings: navigation and the open section. */
export function SettingsPage() {
  const { role } = useMember();
  usePreload();
  const sections = SECTIONS.filter(({ minRole }) => hasRole(role, minRole));
  const wanted = useParams()[0]?.split("/")[0] ?? "";
  const section = sections.find(({ id }) => id === wanted);
  if (section === undefined) return <Redirect to={sectionPath(sections[0]?.id ?? "account")} replace />;
  const Page = PAGES[section.id];
  return (
    <div className="mx-auto flex w-full max-w-5xl flex-col gap-x-10 gap-y-5 px-4 py-5 sm:px-6 md:flex-row md:py-8">
      <SettingsNav sections={sections} current={section.id} />
      <main className="min-w-0 flex-1">
        <Page />
      </main>
    </div>
  );
}
