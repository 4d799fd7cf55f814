"""What each seat does when it is its turn: moderator, participant, judge, evaluator."""
