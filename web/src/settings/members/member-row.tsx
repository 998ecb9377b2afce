import type { Member, Role } from "@tessera/sdk";
import { IconButton } from "../../ui/controls/icon-button.tsx";
import { MoreIcon, TrashIcon } from "../../ui/marks/icons.tsx";
import { Menu, MenuItem, MenuLabel, MenuLine } from "../../ui/floating/menu.tsx";
import { dateTimeOf } from "../../ui/time/times.ts";
import { Badge } from "../parts/badge.tsx";
import { Row } from "../parts/rows.tsx";
import { ROLES, roleName } from "./role-words.ts";
import { Ago } from "../../ui/time/ago.tsx";

/** One member: owners set roles; admins remove all but owners. */
export function MemberRow({
  member,
  me,
  onRole,
  onRemove,
}: {
  readonly member: Member;
  readonly me: { readonly id: string; readonly isOwner: boolean };
  readonly onRole: (role: Role) => void;
  readonly onRemove: () => void;
}) {
  const { email, role, lastSeenAt, createdAt } = member;
  const isMe = member.id === me.id;
  const canRemove = me.isOwner || role !== "owner";
  return (
    <Row
      title={email}
      badges={
        <>
          <Badge tone={role === "owner" ? "accent" : "plain"}>{roleName(role)}</Badge>
          {isMe && <Badge>You</Badge>}
        </>
      }
      details={
        <>
          <span title={lastSeenAt === null ? undefined : dateTimeOf(lastSeenAt)}>
            {lastSeenAt === null ? (
              "Not seen yet"
            ) : (
              <>
                Seen <Ago at={lastSeenAt} />
              </>
            )}
          </span>
          <span title={dateTimeOf(createdAt)}>
            Joined <Ago at={createdAt} />
          </span>
        </>
      }
      actions={
        (me.isOwner || canRemove) && (
          <Menu
            trigger={
              <IconButton label={`More for ${email}`} hasTip={false}>
                <MoreIcon />
              </IconButton>
            }
          >
            {me.isOwner && (
              <>
                <MenuLabel>Role</MenuLabel>
                {ROLES.map(({ id, name }) => (
                  <MenuItem key={id} isChosen={role === id} onSelect={() => role !== id && onRole(id)}>
                    {name}
                  </MenuItem>
                ))}
                <MenuLine />
              </>
            )}
            <MenuItem icon={<TrashIcon />} isDanger onSelect={onRemove}>
              {isMe ? "Leave …" : "Remove …"}
            </MenuItem>
          </Menu>
        )
      }
    />
  );
}
