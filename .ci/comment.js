// Says on a pull request what the scenarios came to: one comment, which later runs of the job rewrite.
// Called by action.yml; the summary is what `heavyweight run --github` made.
module.exports = async ({ github, context, core, summary, name }) => {
  const issue_number = context.payload.pull_request?.number;
  if (!issue_number) return;
  const mark = `<!-- heavyweight ${name} -->`;
  const page = `${context.serverUrl}/${context.repo.owner}/${context.repo.repo}/actions/runs/${context.runId}`;
  // GitHub takes no comment of more than 65,536 characters.
  const text = summary.length > 60000 ? summary.slice(0, 60000) + "\n\n… the rest is on the job's page" : summary;
  const body = `${mark}\n${text}\n[The job's page and reports](${page})`;
  try {
    const comments = await github.paginate(github.rest.issues.listComments, { ...context.repo, issue_number });
    const own = comments.find((comment) => comment.body?.startsWith(mark));
    if (own) await github.rest.issues.updateComment({ ...context.repo, comment_id: own.id, body });
    else await github.rest.issues.createComment({ ...context.repo, issue_number, body });
  } catch (error) {
    // From a fork, or without `pull-requests: write`, nothing may be written: that isn't the migrations' failure.
    core.warning(`no comment on the pull request: ${error.message}`);
  }
};
