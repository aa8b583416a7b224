// For models of runs on a device that takes its time: what is submitted to it ends as a promise is kept. Included after the
// promises and after what a step comes to.
#ifndef MR_TESTS_MODEL_SUBMISSIONS_H
#define MR_TESTS_MODEL_SUBMISSIONS_H

// What more work follows does not end by itself: with the next work that comes, or when it is concluded.
static promise followed_work;
static bool has_followed_work;

static void end_followed_work(void) {
  if (has_followed_work) {
    has_followed_work = false;
    give_promise(followed_work);
  }
}

static mr_status submit_later(mr_status status, bool followed, mr_future **inout_last) {
  mr_future_release(*inout_last);
  end_followed_work();
  promise made = make_promise(status, inout_last);
  has_followed_work = followed;
  if (followed) {
    followed_work = made;
  } else {
    give_promise(made);
  }
  return MR_OK;
}

mr_status mr_submission_open(mr_submission *s, launch_state *of, mr_storage **out_temp, mr_future **inout_last) {
  (void)s;
  (void)of;
  (void)inout_last;
  opened++;
  *out_temp = temporaries;
  return MR_OK;
}
void mr_submission_close(mr_submission *s) { (void)s; }
mr_status mr_submission_step(const mr_submission *s, const plan_step *step, bool followed, mr_node *last_of,
                             mr_future **inout_last) {
  (void)last_of;
  (void)s;
  MR_TRY(begin_step(step));
  return submit_later(later_of(step), followed, inout_last);
}
bool mr_submission_has_work(const mr_submission *s, const plan_step *step) {
  (void)s;
  (void)step;
  return true;
}
void mr_device_conclude(mr_device *of, mr_future *const *futures, size_t num_futures) {
  (void)of;
  (void)futures;
  (void)num_futures;
  end_followed_work();
}
mr_status mr_submission_read(const mr_submission *s, uint32_t buffer, void *to, size_t bytes, mr_future **inout_last) {
  (void)s;
  (void)buffer;
  memset(to, bytes == 1 && rounds_left-- > 0, bytes);  // the predicate is what is one byte
  return submit_later(MR_OK, false, inout_last);
}
mr_status mr_submission_write(const mr_submission *s, uint32_t buffer, const void *from, size_t bytes,
                              mr_future **inout_last) {
  (void)s;
  (void)buffer;
  (void)from;
  (void)bytes;
  return submit_later(MR_OK, false, inout_last);
}

#endif
